import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPollingSource, createSseSource, createStore } from '@sitrep/client';

test('a store without a source says at once what to pass', () => {
  for (const options of [undefined, null, {}, { source: undefined }, { source: {} }, { source: 'http://127.0.0.1:4747' }])
    assert.throws(() => createStore(options as never), { name: 'TypeError', message: /createStore needs \{ source \}/ });
});

test('a source without an address says at once what to pass', () => {
  for (const options of [undefined, null, {}, { url: '' }, 'http://127.0.0.1:4747']) {
    assert.throws(() => createSseSource(options as never), { name: 'TypeError', message: 'createSseSource needs { url }.' });
    assert.throws(() => createPollingSource(options as never), { name: 'TypeError', message: 'createPollingSource needs { url }.' });
  }
});

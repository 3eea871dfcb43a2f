import { expect } from '@open-wc/testing';
import { loadSeen } from '../../../packages/elements/src/autoload/load-seen.ts';
import { until } from './support.ts';

describe('code that is loaded when it is seen', () => {
  const { disconnect } = MutationObserver.prototype;
  const { error, warn } = console;
  let stopped = 0;

  beforeEach(() => {
    stopped = 0;
    MutationObserver.prototype.disconnect = function (): void {
      stopped++;
      disconnect.call(this);
    };
  });
  afterEach(() => {
    MutationObserver.prototype.disconnect = disconnect;
    Object.assign(console, { error, warn });
    for (const one of document.querySelectorAll('seen-a, seen-b')) one.remove();
  });

  it('is looked for until all of it is there, also after a failure, and then no longer', async () => {
    Object.assign(console, { error: () => undefined, warn: () => undefined });
    const asked: string[] = [];
    let fails = true;
    const tags = {
      'seen-a': async () => void asked.push('a'),
      'seen-b': async () => {
        asked.push('b');
        if (fails) throw new Error('offline');
      },
    };
    document.body.append(document.createElement('seen-a'));
    loadSeen(tags, []);
    await until(() => asked.length === 1, 'what is in the page is loaded');
    document.body.append(document.createElement('seen-b'));
    await until(() => asked.length === 2, 'what comes into it is asked for');
    await new Promise((resolve) => setTimeout(resolve));
    expect(stopped).to.equal(0);
    fails = false;
    document.body.append(document.createElement('seen-b'));
    await until(() => stopped === 1, 'nothing is left to look for');
    expect(asked).to.deep.equal(['a', 'b', 'b']);
  });
});

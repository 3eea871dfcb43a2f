import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createToken, newKey, readKeys } from '@sitrep/server';
import type { LogFields, RequestEntry } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { Cli } from './cli-support.ts';
import { http, operation, post, put, serve, stream } from './support.ts';

const S = '/v1/sessions/s';

/** Reads the text format strictly: every sample under its HELP and TYPE, no series twice, histograms that add up. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  assert.ok(text.endsWith('\n'));
  let family = '';
  let type = '';
  for (const line of text.trimEnd().split('\n')) {
    const head = /^# (HELP|TYPE) ([a-z][a-z0-9_]*) (.+)$/.exec(line);
    if (head) {
      if (head[1] === 'HELP') family = head[2] ?? '';
      else {
        assert.equal(head[2], family);
        type = head[3] ?? '';
        assert.match(type, /^(counter|gauge|histogram)$/);
        assert.equal(type === 'counter', family.endsWith('_total'), family);
      }
      continue;
    }
    const sample = /^([a-z][a-z0-9_]*)(\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? ([0-9.e+-]+)$/.exec(line);
    assert.ok(sample, line);
    const [, name = '', labels = '', value] = sample;
    assert.ok(
      type === 'histogram' ? /^_(bucket|sum|count)$/.test(name.slice(family.length)) && name.startsWith(family) : name === family,
      line,
    );
    assert.equal(samples.has(name + labels), false, `${line} stands twice`);
    samples.set(name + labels, Number(value));
  }
  const buckets = [...samples].filter(([name]) => name.startsWith('sitrep_commit_seconds_bucket')).map(([, value]) => value);
  assert.deepEqual(
    buckets,
    buckets.toSorted((a, b) => a - b),
  );
  assert.equal(buckets.at(-1), samples.get('sitrep_commit_seconds_count'));
  return samples;
}

describe('/metrics', () => {
  it('counts what happens, in the text format of Prometheus', async (t) => {
    let full = false;
    const memory = createMemoryStore();
    const store: typeof memory = {
      ...memory,
      commit: (changes) => (full ? Promise.reject(new Error('the disk is full')) : memory.commit(changes)),
    };
    const { url, gateway } = await serve(t, { store });
    await stream(t, `${url}${S}/stream`).next();
    await post(`${url}${S}/events`, [operation('x'), operation('x', { total: 'many' }), { type: 'card', revision: 1, card: null }]);
    await put(`${url}${S}/card`, { markdown: 'x' });
    await put(`${url}${S}/card`, { markdown: 'x', expectedRevision: 0 });
    await put(`${url}${S}/card`, { markdown: 7 });
    await http(`${url}/nothing`);
    await http(`${url}${S}`, { headers: { host: 'evil.example' } });
    full = true;
    assert.equal((await post(`${url}${S}/events`, operation('y'))).status, 503);
    const { status, headers, text } = await http(`${url}/metrics`);
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8']);
    const samples = parse(text);
    for (const [name, value] of Object.entries({
      sitrep_ready: 1,
      sitrep_streams: 1,
      sitrep_sessions_loaded: 1,
      sitrep_pending_events: 0,
      'sitrep_events_total{outcome="invalid"}': 1,
      'sitrep_card_writes_total{outcome="conflict"}': 1,
      'sitrep_card_writes_total{outcome="invalid"}': 1,
      'sitrep_card_writes_total{outcome="written"}': 1,
      sitrep_commit_failures_total: 1,
      sitrep_commit_seconds_count: 2,
      'sitrep_requests_total{status="404"}': 1,
      'sitrep_requests_total{status="403"}': 1,
      'sitrep_requests_total{status="409"}': 1,
      'sitrep_requests_total{status="503"}': 1,
      'sitrep_refusals_total{code="forbidden_host"}': 1,
      'sitrep_refusals_total{code="store_failed"}': 1,
    })) {
      assert.equal(samples.get(name), value, name);
    }
    assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 10_000_000);
    const posted = [...samples].filter(([name]) => name.startsWith('sitrep_events_total')).reduce((sum, [, value]) => sum + value, 0);
    assert.equal(posted, 3);
    const drained = gateway.drain({ delayMs: 1_000 });
    assert.equal(parse((await http(`${url}/metrics`)).text).get('sitrep_ready'), 0);
    void drained;
  });

  it('is for an administrator of every session where there are keys, and for no other site', async (t) => {
    const keys = readKeys(newKey('HS256'));
    const { url, clock } = await serve(t, { keys });
    const statuses = await Promise.all(
      (
        [
          ['admin', ['']],
          ['admin', ['team/']],
          ['write', ['']],
        ] as const
      ).map(async ([scope, prefixes]) => {
        const token = await createToken(keys, { scope, prefixes, now: clock.now() });
        return (await http(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
      }),
    );
    assert.deepEqual(statuses, [200, 403, 403]);
    assert.equal((await http(`${url}/metrics`)).status, 401);
    assert.equal((await http(`${url}/metrics`, { headers: { origin: 'https://evil.example' } })).status, 403);
  });
});

describe('the log', () => {
  it('says in a line and in fields what went wrong', async (t) => {
    const memory = createMemoryStore();
    const told: (LogFields | undefined)[] = [];
    const store: typeof memory = { ...memory, commit: () => Promise.reject(new Error('the disk is full')) };
    const { gateway } = await serve(t, { store, log: (_, fields) => told.push(fields) });
    await assert.rejects(gateway.publish('s', [operation('x')]), { code: 'store_failed' });
    assert.deepEqual(told, [{ event: 'commit_failed', level: 'error', writes: 1, reason: 'the disk is full' }]);
  });

  it('of requests says who and what, and nothing a token could be read from', async (t) => {
    const keys = readKeys(newKey('HS256'));
    const seen: RequestEntry[] = [];
    const { url, clock, log } = await serve(t, {
      keys,
      onRequest(request) {
        seen.push(request);
        if (request.path === '/healthz') throw new Error('mine');
      },
    });
    const token = await createToken(keys, { scope: 'write', sessions: ['s'], subject: 'ci', now: clock.now() });
    const headers = { authorization: `Bearer ${token}` };
    await post(`${url}${S}/events?dialect=mcp`, [], headers);
    const { ticket } = (await post(`${url}${S}/ticket`, {}, headers)).body;
    await stream(t, `${url}${S}/stream?ticket=${ticket}`).next();
    await http(`${url}${S}`);
    assert.equal((await http(`${url}/healthz`)).status, 200);
    assert.match(log.join(), /threw: Error: mine/);
    assert.deepEqual(
      seen.map(({ method, path, status, token: who }) => [method, path, status, who]),
      [
        ['POST', `${S}/events`, 200, 'ci'],
        ['POST', `${S}/ticket`, 201, 'ci'],
        ['GET', `${S}/stream`, 200, undefined],
        ['GET', S, 401, undefined],
        ['GET', '/healthz', 200, undefined],
      ],
    );
    assert.ok(seen.every(({ ms }) => ms >= 0));
    assert.equal(JSON.stringify(seen).includes(ticket), false);
  });

  it('of sitrep serve is JSON, an object a line, where it is asked for', async (t) => {
    const cli = new Cli(t, ['serve', '--port', '0', '--store', 'memory', '--log', 'json']);
    const [, url] = await cli.output(/gateway at (\S+) /);
    await http(`${url}${S}`);
    await cli.output(/"request"/, 'stderr');
    cli.child.kill('SIGINT');
    const { stderr, code } = await cli.ended;
    assert.equal(code, 0);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const request = lines.find(({ event }) => event === 'request');
    assert.deepEqual([request?.['level'], request?.['message'], request?.['status']], ['info', `GET ${S} 200`, 200]);
    assert.ok(lines.every(({ time }) => !Number.isNaN(Date.parse(String(time)))));
    const wrong = await new Cli(t, ['serve', '--port', '0', '--store', 'memory', '--log', 'xml']).ended;
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--log must be text or json/);
  });
});

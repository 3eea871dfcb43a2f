import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createToken, readKeys } from '@sitrep/server';
import type { TokenClaims } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { http, operation, post, put, serve, stream } from './support.ts';
import type { Answer } from './support.ts';

const keys = readKeys('a secret of at least thirty-two bytes');
const bearer = async (claims: TokenClaims): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await createToken(keys, claims)}`,
});

/** Every address of a session that the page names, with its methods. */
function addresses(): { readonly path: string; readonly methods: readonly string[] }[] {
  const page = readFileSync(new URL('../../../docs/gateway.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| `((?:\/v1\/sessions\/\{session\}|…\/leases)[^`]*)` +\| ([A-Z, ]+?) +\|/gm)].map(
    ([, path = '', methods = '']) => ({
      path: path.replace('…', '/v1/sessions/{session}').replace('{producer}', 'p'),
      methods: methods.split(', '),
    }),
  );
}

const withoutTime = ({ status, headers, text }: Answer) => ({ status, text, headers: { ...headers, date: '' } });

describe('a session that a token does not reach', () => {
  it('is answered like one that there is not, at every address and for every method', async (t) => {
    const { url } = await serve(t, { keys });
    const owner = await bearer({ scope: 'admin', prefixes: [''] });
    await put(`${url}/v1/sessions/there/card`, { markdown: 'secret' }, owner);
    await post(`${url}/v1/sessions/there/events`, operation('secret', { state: 'running' }), owner);
    const all = addresses();
    assert.ok(all.length >= 10, `${all.length} addresses`);
    for (const scope of ['read', 'write', 'admin'] as const) {
      const headers = { ...(await bearer({ scope, sessions: ['mine'], prefixes: ['my-'] })), 'content-type': 'application/json' };
      for (const { path, methods } of all) {
        for (const method of methods) {
          const ask = async (session: string) => {
            const body = ['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : '{"markdown":"x"}';
            return withoutTime(await http(url + path.replace('{session}', session), { method, headers, body }));
          };
          const [there, none] = [await ask('there'), await ask('none!')];
          assert.deepEqual(there, none, `${method} ${path}`);
          assert.ok([403, 426].includes(there.status), `${method} ${path} answers ${there.status}`);
          assert.doesNotMatch(there.text, /secret|there/);
        }
      }
    }
    const untouched = (await http(`${url}/v1/sessions/there`, { headers: owner })).body;
    assert.deepEqual([untouched.revision, untouched.seq, untouched.card], [1, 2, { markdown: 'secret' }]);
  });

  it('costs those who may not see it no reading of the list for each of them', async (t) => {
    const store = createMemoryStore();
    let readings = 0;
    const { gateway } = await serve(t, {
      store: {
        ...store,
        async list(options) {
          readings += 1;
          return store.list(options);
        },
      },
    });
    for (const session of ['mine', 'theirs']) await gateway.publish(session, [operation('a')]);
    const mine = () => gateway.sessions({ where: (session) => session.startsWith('mine') });
    const lists = await Promise.all(Array.from({ length: 100 }, mine));
    assert.ok(readings <= 2, `${readings} readings`);
    assert.deepEqual(new Set(lists.map((list) => list.map(({ session }) => session).join())), new Set(['mine']));
    const before = mine();
    await gateway.publish('mine-too', [operation('a')]);
    assert.equal((await mine()).length, 2);
    await before;
  });

  it('is not on the list, in no metric, and no ticket or cookie opens it', async (t) => {
    const { url } = await serve(t, { keys });
    const owner = await bearer({ scope: 'admin', prefixes: [''] });
    for (const session of ['hidden-one', 'mine', 'my-other']) await put(`${url}/v1/sessions/${session}/card`, { markdown: session }, owner);
    const token = await bearer({ scope: 'read', sessions: ['mine'], prefixes: ['my-'] });
    const { sessions } = (await http(`${url}/v1/sessions`, { headers: token })).body;
    assert.deepEqual(sessions.map(({ session }: { session: string }) => session).sort(), ['mine', 'my-other']);
    assert.equal((await http(`${url}/v1/sessions?limit=1`, { headers: token })).body.sessions.length, 1, 'the limit counts what is shown');
    assert.doesNotMatch((await http(`${url}/metrics`, { headers: owner })).text, /hidden-one|mine|my-other/);
    const { ticket } = (await post(`${url}/v1/sessions/mine/ticket`, '', token)).body;
    const refused = await http(`${url}/v1/sessions/hidden-one/stream?ticket=${ticket}`);
    assert.deepEqual([refused.status, refused.body.error.code], [401, 'invalid_token']);
    const cookie = String((await post(`${url}/v1/cookie`, '', token)).headers['set-cookie']).split(';')[0] as string;
    assert.equal((await http(`${url}/v1/sessions/hidden-one`, { headers: { cookie } })).status, 403);
    assert.equal((await http(`${url}/v1/sessions/mine`, { headers: { cookie } })).status, 200);
  });

  it('stays hidden from a reader that is in when its own session is reset or dropped', async (t) => {
    const { url } = await serve(t, { keys });
    const owner = await bearer({ scope: 'admin', prefixes: [''] });
    await put(`${url}/v1/sessions/mine/card`, { markdown: 'a' }, owner);
    const reader = stream(t, `${url}/v1/sessions/mine/stream`, await bearer({ scope: 'read', sessions: ['mine'] }));
    await reader.next();
    await put(`${url}/v1/sessions/other/card`, { markdown: 'secret' }, owner);
    await post(`${url}/v1/sessions/other/reset`, '', owner);
    await post(`${url}/v1/sessions/mine/reset`, '', owner);
    assert.equal((await reader.next()).event, 'resync');
    assert.equal((await reader.next()).data.session, 'mine');
    assert.equal(reader.frames.length, 3);
  });
});

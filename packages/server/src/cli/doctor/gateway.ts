import { createServer } from 'node:net';
import { gatewayHeaders } from '../gateway-headers.ts';
import { finder } from './finding.ts';
import type { Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;
/** Milliseconds clocks may differ; times of answers are whole seconds. */
const SKEW_MS = 5_000;

/** Looks at the gateway at an address: whether it is there, is well, takes the token, and has the same time. */
export async function checkGateway(url: string, isNamed: boolean): Promise<Finding[]> {
  const gateway = finder('gateway');
  const health = await ask(`${url}/healthz`);
  if (typeof health === 'string') {
    const found = `No gateway answers at ${url} (${health}).`;
    return [
      isNamed ? gateway.fail(found, 'Start it, or correct --url or SITREP_URL.') : gateway.ok(`${found} Start one with sitrep serve.`),
    ];
  }
  const { body, date } = health;
  if (health.status !== 200 || body?.['ok'] !== true)
    return [
      gateway.fail(`What answers at ${url} is no gateway (status ${health.status}).`, 'Correct --url or SITREP_URL, or free the port.'),
    ];
  const findings = [gateway.ok(`A gateway ${String(body['version'])} answers at ${url} (store: ${String(body['store'])}).`)];
  const { storeState, quarantined } = body;
  if (storeState !== undefined)
    findings.push(
      gateway.fail(
        `Its store is ${String(storeState)}: writes are refused.`,
        storeState === 'full' ? 'Free room on its disk.' : 'Its log says why.',
      ),
    );
  if (quarantined !== undefined)
    findings.push(gateway.warn(`It moved ${String(quarantined)} damaged store files aside.`, 'Its log says which.'));
  const ready = await ask(`${url}/readyz`);
  if (typeof ready !== 'string' && ready.status !== 200) findings.push(gateway.warn('It is not ready for readers.', 'Its log says why.'));
  findings.push(...(await checkAccess(url)), ...checkClock(date));
  return findings;
}

async function checkAccess(url: string): Promise<Finding[]> {
  const access = finder('access');
  const headers = gatewayHeaders();
  const sent = typeof headers === 'function' ? headers() : (headers ?? {});
  const list = await ask(`${url}/v1/sessions?limit=1`, sent);
  if (typeof list === 'string') return [access.fail(`The list of sessions could not be had (${list}).`, 'Its log says why.')];
  if (list.status === 200)
    return [access.ok(sent['authorization'] === undefined ? 'It can be read without a token.' : 'It takes the token.')];
  const { message } = (list.body?.['error'] ?? {}) as { message?: unknown };
  const advice =
    sent['authorization'] === undefined
      ? 'Name a file that holds a token in SITREP_TOKEN_FILE, or put the token itself into SITREP_TOKEN.'
      : 'Make another token with sitrep token, with a key of this gateway.';
  return [access.fail(`It answers ${list.status}: ${String(message ?? 'no reason given')}`, advice)];
}

function checkClock(date: string | null): Finding[] {
  const clock = finder('clock');
  const skew = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isNaN(skew)) return [];
  if (Math.abs(skew) <= SKEW_MS) return [clock.ok('The clocks here and there agree.')];
  const found = `The gateway's clock is ${Math.round(Math.abs(skew) / 1_000)} s ${skew > 0 ? 'ahead of' : 'behind'} this one.`;
  return [clock.warn(found, 'Let both keep time by NTP: tokens expire by the clock.')];
}

/** Looks whether the port can be listened on. */
export async function checkPort(host: string, port: number, isTakenByGateway: boolean): Promise<Finding[]> {
  const { ok, fail } = finder('port');
  if (isTakenByGateway) return [ok(`Port ${port} is the gateway's.`)];
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), () => server.close(() => resolve(undefined)));
  });
  if (error === undefined) return [ok(`Port ${port} of ${host} is free.`)];
  if (error.code === 'EADDRINUSE')
    return [fail(`Port ${port} of ${host} is taken by another program.`, 'Stop it, or name another port with --port.')];
  return [fail(`Nobody can listen on port ${port} of ${host}: ${error.message}`, 'Name another with --host and --port.')];
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly date: string | null;
}

/** The answer, or in words why there is none. */
async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer | string> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
    const body = (await response.json().catch(() => undefined)) as Answer['body'];
    return { status: response.status, body, date: response.headers.get('date') };
  } catch (error) {
    const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return cause.code ?? cause.message;
  }
}

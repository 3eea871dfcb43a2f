import { isRedisAddress, readAddress } from '../store/redis/address.ts';
import { gatewayUrl, parse } from './arguments.ts';
import { finder } from './doctor/finding.ts';
import type { Finding } from './doctor/finding.ts';
import { checkGateway, checkPort } from './doctor/gateway.ts';
import { checkKeys, checkToken } from './doctor/keys.ts';
import { checkStoreFile } from './doctor/store-file.ts';
import { storeAddress } from './store-address.ts';
import { UsageError } from './usage-error.ts';
import { DOCTOR_USAGE } from './usage.ts';

/** `sitrep doctor`. */
export async function doctor(args: string[]): Promise<number> {
  const { values, positionals } = parse('doctor', args, {
    store: { type: 'string' },
    'key-file': { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    url: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (values.help) {
    process.stdout.write(DOCTOR_USAGE);
    return 0;
  }
  if (positionals.length > 0) throw new UsageError(`doctor takes no "${positionals[0]}".`, 'doctor');
  const port = Number(values.port ?? 4747);
  if (!/^\d+$/.test(values.port ?? '4747') || port > 65_535)
    throw new UsageError('--port must be a whole number from 0 to 65535.', 'doctor');
  const host = values.host ?? '127.0.0.1';
  const isNamed = values.url !== undefined || Boolean(process.env['SITREP_URL']);
  const url = isNamed ? gatewayUrl('doctor', values.url) : `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const gateway = await checkGateway(url, isNamed);
  const isThere = !isNamed && gateway.length > 1;
  const findings: Finding[] = [
    ...checkNode(),
    ...(await checkStore(storeAddress(values.store))),
    ...checkKeys(values['key-file'], host),
    ...checkToken(Date.now()),
    ...(await checkPort(host, port, isThere)),
    ...checkYear(),
    ...gateway,
  ];
  const failed = findings.filter(({ level }) => level === 'fail').length;
  if (values.json) process.stdout.write(`${JSON.stringify({ ok: failed === 0, findings })}\n`);
  else for (const finding of findings) process.stdout.write(shown(finding));
  return failed === 0 ? 0 : 1;
}

function shown({ check, level, found, advice }: Finding): string {
  return `${level.padEnd(4)}  ${check}: ${found}\n${advice === undefined ? '' : `      ${advice}\n`}`;
}

function checkNode(): Finding[] {
  const node = finder('node');
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return [node.ok(`Node ${process.versions.node}.`)];
  if (major > 20 || (major === 20 && minor >= 19))
    return [
      node.warn(`Node ${process.versions.node} has no SQLite.`, 'serve needs Node 22.13 or newer to keep a file, or --store memory.'),
    ];
  return [node.fail(`Node ${process.versions.node} is too old.`, 'Use Node 22.13 or newer.')];
}

/** A clock that is years off makes every token expired, or good for ever. */
function checkYear(): Finding[] {
  const clock = finder('clock');
  const year = new Date().getUTCFullYear();
  if (year >= 2025 && year < 2100) return [clock.ok(`It is ${new Date().toISOString()}.`)];
  return [clock.fail(`The clock says ${new Date().toISOString()}.`, 'Set it, and let it be kept by NTP.')];
}

async function checkStore(name: string): Promise<Finding[]> {
  const store = finder('store');
  if (name === 'memory') return [store.warn('A store in memory is gone with its process.', 'Name a file, or a Redis, with --store.')];
  if (!isRedisAddress(name)) return checkStoreFile(name);
  try {
    const { shown: address } = readAddress(name);
    const { createRedisStore } = await import('../store/redis/redis.ts');
    const warnings: Finding[] = [];
    const redis = await createRedisStore(name, {
      log: (line) => void warnings.push(store.warn(line, 'Set it in the configuration of Redis, so that it stays set.')),
    });
    try {
      await redis.list({ limit: 1 });
      return [store.ok(`${address} can be reached and read.`), ...warnings];
    } finally {
      await redis.close();
    }
  } catch (error) {
    return [store.fail((error as Error).message, 'Start it, or correct the address.')];
  }
}

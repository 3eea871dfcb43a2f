import { readFileSync } from 'node:fs';
import type { PushOptions } from '../push/options.ts';
import { readVapidKeys } from '../push/vapid.ts';
import { UsageError } from './usage-error.ts';

/** A host of a push service: a name, with a port or with `*.` in front. */
const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i;

/** Web Push as `serve` is told of it: keys from the flag's file, else from SITREP_PUSH_KEYS_FILE, else SITREP_PUSH_KEYS; undefined without any. */
export function pushOptionsOf(flag: string | undefined, hosts: readonly string[]): PushOptions | undefined {
  const file = flag ?? (process.env['SITREP_PUSH_KEYS_FILE'] || undefined);
  const text = file === undefined ? process.env['SITREP_PUSH_KEYS'] || undefined : readKeys(file);
  if (text === undefined) {
    if (hosts.length > 0) throw new UsageError('--push-host is of use with --push-keys only.', 'serve');
    return undefined;
  }
  const wrong = hosts.find((host) => !HOST.test(host));
  if (wrong !== undefined) throw new UsageError(`--push-host must be name, name:port or *.name, not "${wrong}".`, 'serve');
  try {
    return { keys: readVapidKeys(text), hosts };
  } catch (error) {
    throw new UsageError(`${file ?? 'SITREP_PUSH_KEYS'}: ${(error as Error).message}`, 'serve');
  }
}

function readKeys(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The keys of push cannot be read: ${(error as Error).message}`, 'serve');
  }
}

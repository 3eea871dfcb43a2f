import { createClient } from '@redis/client';

/** The oldest Redis with what is needed here: sharded pub/sub. */
const OLDEST = 7;

/**
 * Looks at how a server is set up. Answers what an operator should know, a sentence each; a server that cannot be reached, and what
 * one does not let be asked, is not judged.
 *
 * @throws when the server is too old
 */
export async function lookAt(url: string, timeoutMs: number): Promise<string[]> {
  const client = createClient({
    url,
    socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
    maintNotifications: 'disabled',
    commandOptions: { timeout: timeoutMs },
  });
  client.on('error', () => undefined);
  try {
    // Of a cluster one node may be away while others serve.
    if (
      !(await client.connect().then(
        () => true,
        () => false,
      ))
    )
      return [];
    const version = /redis_version:(\d+)/.exec(String(await client.info('server')))?.[1];
    if (version !== undefined && Number(version) < OLDEST) {
      throw new Error(`The Redis server is version ${version}. The store needs Redis ${OLDEST} or newer.`);
    }
    const settings = await Promise.all(
      ['appendonly', 'appendfsync', 'maxmemory-policy'].map(async (name) => {
        const answer = await client.configGet(name).catch(() => undefined);
        return answer?.[name];
      }),
    );
    return warnings(...(settings as [string | undefined, string | undefined, string | undefined]));
  } finally {
    client.destroy();
  }
}

function warnings(appendonly: string | undefined, appendfsync: string | undefined, policy: string | undefined): string[] {
  const found: string[] = [];
  if (appendonly === 'no') {
    found.push(
      'Redis keeps no append-only file: what was acknowledged is lost when it restarts. Set appendonly yes and appendfsync always.',
    );
  } else if (appendfsync !== undefined && appendfsync !== 'always') {
    found.push(
      `Redis has appendfsync ${appendfsync}: when its machine fails, the last moments of what was acknowledged are lost. Set appendfsync always to lose nothing.`,
    );
  }
  if (policy !== undefined && policy !== 'noeviction') {
    found.push(`Redis has maxmemory-policy ${policy}: when its memory is full it throws sessions away in parts. Set noeviction.`);
  }
  return found;
}

import { newVapidKeys } from '../push/vapid.ts';
import { parse } from './arguments.ts';
import { UsageError } from './usage-error.ts';
import { PUSH_USAGE } from './usage.ts';

/** `sitrep push keys`: makes the keys a gateway names itself with to push services. */
export async function push(args: string[]): Promise<number> {
  const { values, positionals } = parse('push', args, { subject: { type: 'string' } });
  if (values.help) {
    process.stdout.write(PUSH_USAGE);
    return 0;
  }
  const [what, more] = positionals;
  if (what !== 'keys' || more !== undefined)
    throw new UsageError('push does one thing: sitrep push keys --subject mailto:ops@example.com', 'push');
  if (values.subject === undefined)
    throw new UsageError('Say whom the operator of a push service may turn to: --subject mailto:ops@example.com', 'push');
  try {
    process.stdout.write(`${JSON.stringify(newVapidKeys(values.subject))}\n`);
  } catch (error) {
    throw new UsageError((error as Error).message, 'push');
  }
  return 0;
}

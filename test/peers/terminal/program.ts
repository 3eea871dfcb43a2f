/** A program in a terminal: plays one scenario into a terminal sink, with text of its own between. */
import { askStatus, clearOnExit, createTerminalSink } from '@sitrep/harness/terminal';
import { SCENARIO_EVENTS } from './scenarios.ts';

const [name = '', how = ''] = process.argv.slice(2);
const status = how === 'ask' ? await askStatus({ input: process.stdin, output: process.stdout }) : true;
if (how === 'ask') process.stdout.write(`status ${String(status)}, raw ${String(process.stdin.isRaw)}\n`);
const sink = createTerminalSink({ session: 'chat-1', output: process.stdout, status, notify: 'osc99', app: 'demo', throttleMs: 0 });
clearOnExit(sink, process);
for (const event of SCENARIO_EVENTS[name] ?? []) {
  sink.send(event);
  process.stdout.write(`${event.type} sent ✓\n`);
}
if (how === 'close' || how === 'ask') await sink.close();
else if (how === 'throw') throw new Error('on purpose');
else {
  process.stdout.write('ready\n');
  setInterval(() => {}, 1000);
}

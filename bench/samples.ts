import type { CardEvent, OperationEvent } from '@sitrep/schema/wire';

/** The values that every item measures with. */

/** An operation event of eight fields, the usual update of a running tool. */
export function operationEvent(i = 0): OperationEvent {
  return {
    type: 'operation',
    session: 'agent:main:release',
    id: 'call_7f3a91c2e5d84b06',
    seq: 42 + i,
    at: 1_764_500_000_000 + i,
    state: 'running',
    message: `Compiling source file ${i} of packages/core`,
    current: 5 + (i % 90),
  };
}

/**
 * An operation event as a mixed stream brings it: which fields stand in it, and in which order, differs from one to
 * the next, so that an engine cannot settle on one shape of object.
 */
export function mixedOperationEvent(i: number): OperationEvent {
  const { type, session, id, seq, at, state, message, current } = operationEvent(i) as Required<OperationEvent>;
  const event: OperationEvent = i % 2 === 0 ? { type, session, id, at } : { type, id, session, at };
  if (i & 2) Object.assign(event, { seq, state });
  else Object.assign(event, { state, run: `run-${i}` });
  if (i & 4) Object.assign(event, { title: 'Building project', tool: { name: 'build', origin: 'native' } });
  if (i & 8) Object.assign(event, { message, total: 100, unit: 'files' });
  if (i & 16) Object.assign(event, { startedAt: at - 1000, kind: 'command' });
  return Object.assign(event, { current });
}

/** The eight fields with the last one wrong, so that nothing can be refused early. */
export function wrongOperationEvent(i = 0): object {
  return { ...operationEvent(i), current: 'five' };
}

const utf8 = new TextEncoder();

/** A note of about 8 KB: a table, headings, lists, code fences, text outside ASCII. */
export const note = (() => {
  let text = 'Tests are **running**; the fault is isolated to `session` ownership. See [the log](https://example.test/log?id=1).\n\n';
  text += '<progress value="3" max="7"></progress>\n\n| check | state |\n| --- | --- |\n';
  for (let row = 0; row < 12; row++) text += `| unit tests ${row} | passed in ${row * 17} ms |\n`;
  for (let part = 1; utf8.encode(text).length < 7700; part++) {
    text += `\n### Part ${part}\n\nWe *checked* route \`/api/v1/items/${part}\` and found ${part * 3} rows; naïve café ✓ 日本語.\n\n`;
    text += `- [x] inspect handler ${part}\n- [ ] repair owner ${part}\n  - nested note with **bold** text\n\n`;
    text += `\`\`\`ts\nconst answer${part} = await fetch("/x/${part}");\n\`\`\`\n\n> quoted line ${part}\n`;
  }
  return text;
})();

/** A card event with 50 steps and that note. */
export function cardEvent(i = 0): CardEvent {
  const plan = Array.from({ length: 50 }, (_, step) => ({
    step: `Step ${step}: inspect, repair and verify route number ${step} of the session owner`,
    status: step < 20 ? ('completed' as const) : step === 20 ? ('in_progress' as const) : ('pending' as const),
  }));
  return { type: 'card', session: 'agent:main:release', revision: 4 + i, at: 1_764_500_000_000 + i, card: { plan, markdown: note } };
}

/** An event of a stream over `ids` operations in turn: first a title and a total, at the end a final state. */
export function streamEvent(i: number, ids: number, count: number): OperationEvent {
  const first = i < ids;
  return {
    type: 'operation',
    session: 'bench',
    id: `call_${(i % ids).toString(36).padStart(12, '0')}`,
    seq: Math.floor(i / ids),
    at: 1_764_500_000_000 + i,
    state: i >= count - ids ? 'completed' : 'running',
    ...(first ? { title: 'Building project', total: 1000, unit: 'files' } : {}),
    message: `Compiling source file ${i}`,
    current: Math.floor(i / ids) % 1000,
  };
}

/** A note of just under 8 KB, of headings, text, lists, tasks, tables, links and fences; another number, other words. */
export function noteOf(number: number): string {
  const section = (at: number): string => {
    const name = `step ${number}-${at}`;
    return [
      `## Check of ${name}`,
      `The **worker** of ${name} reads its queue in \`src/queue-${at}.ts\` and waits for [the report](https://example.org/${number}/${at}) of the others before it goes on.`,
      `- first it collects the files that changed since ${name}\n- then it compiles *all* of them in order\n- [${at % 2 ? 'x' : ' '}] the tests of part ${at} pass`,
      `| part | state | took |\n| :- | :-: | -: |\n| core ${at} | done | ${at + number} s |\n| server ${at} | running | ${at * 2 + number} s |`,
      `\`\`\`ts\nconst part${at} = await compile('${name}');\nif (part${at}.failed) throw new Error('part ${at}');\n\`\`\``,
    ].join('\n\n');
  };
  let text = '';
  for (let at = 0; text.length + section(at).length < 7_950; at++) text += `${section(at)}\n\n`;
  return `${text}Done so far:\n`;
}

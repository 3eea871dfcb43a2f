/** The page of the check-csp item: every validator that this page's policy lets run, timed like in Node. */
import { over, sampleLoops } from '../harness.ts';
import { ours } from '../ours.ts';
import { handWritten } from '../peers/hand-written.ts';
import { validators, type Test } from '../peers/validators.ts';
import { operationEvent } from '../samples.ts';

const values = Array.from({ length: 64 }, (_, i) => operationEvent(i));
const failed: Record<string, string> = {};
const tests: [string, Test][] = [];
for (const validator of [handWritten, ...ours, ...validators]) {
  try {
    const { operation } = validator.make();
    if (!values.every((value) => operation(value))) throw new Error('refuses a valid value');
    tests.push([validator.name, operation]);
  } catch (error) {
    failed[validator.name] = error instanceof Error ? error.message.slice(0, 60) : String(error);
  }
}

// A debugger's own calls are exempt from the page's policy: the work must start from a task of the page.
window.measure = (rounds) =>
  new Promise((resolve) => {
    setTimeout(() => {
      const loops = tests.map(([name, test]) => over(name, values, test));
      resolve({ samples: sampleLoops(loops, rounds), failed });
    });
  });

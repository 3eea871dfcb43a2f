/** Prints one closing line with the counts of all engines, so that a caller can add them up. */
export function countsReporter() {
  return {
    stop({ sessions }) {
      const counts = { passed: 0, failed: 0, skipped: 0 };
      const walk = (suite) => {
        for (const test of suite?.tests ?? []) counts[test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed']++;
        for (const child of suite?.suites ?? []) walk(child);
      };
      for (const session of sessions) {
        const before = counts.failed;
        walk(session.testResults);
        // A file that did not load has no test to blame.
        if (!session.passed && counts.failed === before) counts.failed++;
      }
      console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    },
  };
}

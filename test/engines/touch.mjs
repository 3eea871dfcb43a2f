/**
 * The command `touch`: a gesture of real fingers, told step by step, as the browser itself would report it. A step is where the fingers are,
 * or for how many milliseconds nothing moves; the last one lifts them. Only Chromium can be asked to; elsewhere the answer is false.
 */
export function touchPlugin() {
  return {
    name: 'touch',
    async executeCommand({ command, payload, session }) {
      if (command !== 'touch') return undefined;
      if (session.browser.type !== 'puppeteer' || session.browser.name !== 'Chromium') return false;
      const client = await session.browser.getPage(session.id).createCDPSession();
      try {
        await client.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
        const touch = (type, fingers) =>
          client.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })) });
        let down = 0;
        for (const step of payload.steps) {
          if (typeof step === 'number') await new Promise((resolve) => setTimeout(resolve, step));
          else {
            await touch(step.length > down ? 'touchStart' : 'touchMove', step);
            down = step.length;
          }
        }
        await touch('touchEnd', []);
      } finally {
        await client.send('Emulation.setTouchEmulationEnabled', { enabled: false });
        await client.detach();
      }
      return true;
    },
  };
}

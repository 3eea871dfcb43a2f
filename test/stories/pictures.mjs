// Compares what a story looks like with how it is meant to look, with a tolerance for what differs from one machine to another.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** How different the colour of a pixel may be, 0 to 1: antialiasing is not the same everywhere. */
const THRESHOLD = 0.15;
/** Share of pixels that may differ: less than a word or an icon of a picture is made of. */
const SHARE = 0.0015;

const font = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
).toString('base64');

/** A typeface that is the same on every machine, for the elements and for the page around them. */
export const sameFont = `@font-face { font-family: 'Story'; src: url(data:font/woff2;base64,${font}) format('woff2'); font-weight: 100 900; }
html, body { font-family: 'Story', sans-serif; --sitrep-font-family: 'Story', sans-serif; --sitrep-font: 14px/1.5 'Story', sans-serif; }`;

/** The moment at which every picture is taken. */
export const moment = new Date('2026-01-15T12:00:00Z');

/** What is wrong with the picture of a story, or undefined. With `keep` it becomes the one that is meant. */
export function comparePicture(taken, meant, difference, keep) {
  if (keep) {
    mkdirSync(dirname(meant), { recursive: true });
    writeFileSync(meant, taken);
    return undefined;
  }
  if (!existsSync(meant)) return `there is no picture to compare with: npm run pictures keeps one`;
  const [now, then] = [PNG.sync.read(taken), PNG.sync.read(readFileSync(meant))];
  if (now.width !== then.width || now.height !== then.height)
    return `is ${now.width} × ${now.height} pixels, and was ${then.width} × ${then.height}`;
  const shown = new PNG({ width: now.width, height: now.height });
  const differing = pixelmatch(now.data, then.data, shown.data, now.width, now.height, { threshold: THRESHOLD });
  if (differing <= now.width * now.height * SHARE) return undefined;
  mkdirSync(dirname(difference), { recursive: true });
  writeFileSync(difference, PNG.sync.write(shown));
  return `looks different in ${differing} pixels of ${now.width * now.height}: see ${difference}`;
}

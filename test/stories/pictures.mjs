// Compares what a story looks like with how it is meant to look, with a tolerance for what differs from one machine to another.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { inPalette } from './palette.mjs';

/** How different the colour of a pixel may be, 0 to 1: less than a token that is chosen anew. */
const THRESHOLD = 0.05;
/** How many pixels may differ: fewer than a letter or an icon is made of, edges included. */
const PIXELS = 8;

/** What is wrong with the picture of a story, or undefined. With `keep` it becomes the one that is meant. */
export function comparePicture(taken, meant, difference, keep) {
  if (keep) {
    // One that already looks the same stays as it is.
    if (existsSync(meant) && !differing(taken, meant)) return undefined;
    mkdirSync(dirname(meant), { recursive: true });
    writeFileSync(meant, inPalette(PNG.sync.read(taken)));
    return undefined;
  }
  if (!existsSync(meant)) return `there is no picture to compare with: npm run pictures keeps one`;
  return differing(taken, meant, difference);
}

/** How a picture differs from the one that is meant, drawn at `difference`. */
function differing(taken, meant, difference) {
  const [now, then] = [PNG.sync.read(inPalette(PNG.sync.read(taken))), PNG.sync.read(readFileSync(meant))];
  if (now.width !== then.width || now.height !== then.height)
    return `is ${now.width} × ${now.height} pixels, and was ${then.width} × ${then.height}`;
  const shown = new PNG({ width: now.width, height: now.height });
  const count = pixelmatch(now.data, then.data, shown.data, now.width, now.height, { threshold: THRESHOLD, includeAA: true });
  if (count <= PIXELS) return undefined;
  if (difference) {
    mkdirSync(dirname(difference), { recursive: true });
    writeFileSync(difference, PNG.sync.write(shown));
  }
  return `looks different in ${count} pixels of ${now.width * now.height}${difference ? `: see ${difference}` : ''}`;
}

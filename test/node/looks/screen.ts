import { PNG } from 'pngjs';
import type { Locator } from 'playwright-core';

type Rgb = readonly [red: number, green: number, blue: number];

/** What is seen of an element. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): Rgb;
  /** How many of its pixels differ clearly (3:1) from this colour. */
  clearOf(colour: Rgb): number;
  readonly bytes: Buffer;
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast by WCAG 2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Takes a picture of an element, as the screen shows it. */
export async function picture(element: Locator): Promise<Picture> {
  const { width, height, data } = PNG.sync.read(await element.screenshot({ animations: 'disabled' }));
  const at = (x: number, y: number): Rgb => {
    const index = (Math.round(y) * width + Math.round(x)) * 4;
    return [data[index]!, data[index + 1]!, data[index + 2]!];
  };
  const clearOf = (colour: Rgb): number => {
    let count = 0;
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (contrast(at(x, y), colour) >= 3) count++;
    return count;
  };
  return { width, height, at, clearOf, bytes: data };
}

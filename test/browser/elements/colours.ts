/** A colour as the screen shows it, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

const canvas = document.createElement('canvas');
canvas.width = canvas.height = 1;
const context = canvas.getContext('2d', { willReadFrequently: true })!;

/** The colour seen where these are painted one over another, the lowest first, in whatever notation. */
export function seen(...layers: readonly string[]): Rgb {
  context.clearRect(0, 0, 1, 1);
  for (const layer of layers) {
    context.fillStyle = '#000';
    context.fillStyle = layer;
    context.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

const luminance = (rgb: Rgb): number => {
  const [red, green, blue] = rgb.map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast by WCAG 2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The backgrounds behind a node, lowest first, through every shadow root. */
export function behind(node: Element): string[] {
  const layers: string[] = [];
  for (let at: Node | null = node; at; at = at.parentNode ?? (at as Partial<ShadowRoot>).host ?? null)
    if (at instanceof Element) layers.unshift(getComputedStyle(at).backgroundColor);
  return ['#fff', ...layers];
}

/** Contrast of a node's text with what lies behind it. */
export function textContrast(node: Element): number {
  const layers = behind(node);
  return contrast(seen(...layers, getComputedStyle(node).color), seen(...layers));
}

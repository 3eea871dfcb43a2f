import { html } from 'lit';
import './theming/theme-builder.ts';

export default { title: 'Theming/Builder', tags: ['!autodocs', 'page'] };

interface Played {
  readonly canvasElement: HTMLElement;
}
const builderIn = (canvas: HTMLElement) => canvas.querySelector<HTMLElement & { updateComplete: Promise<boolean> }>('theme-builder')!;

/** Choose, read the contrast, copy the CSS. What is chosen stays in the address. */
export const Builder = { render: () => html`<theme-builder></theme-builder>` };

/** A colour that cannot be read is told as such, and taken back by pasting another. */
export const TooWeak = {
  tags: ['!dev'],
  render: Builder.render,
  play: async ({ canvasElement }: Played) => {
    const builder = builderIn(canvasElement);
    const root = builder.shadowRoot!;
    const paste = async (css: string): Promise<void> => {
      const area = root.querySelector('textarea')!;
      area.value = css;
      area.dispatchEvent(new Event('change'));
      await builder.updateComplete;
    };
    const until = async (condition: () => boolean, what: string): Promise<void> => {
      for (let tries = 0; !condition(); tries++) {
        if (tries > 500) throw new Error(`Never happened: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const told = (): string => root.querySelector('summary span')?.textContent ?? '';
    await until(() => told() === 'enough everywhere' && root.querySelectorAll('tbody tr').length > 8, 'the defaults are enough');
    await paste(':root { color: red; --sitrep-accent: light-dark(#bcd, #234); --sitrep-unknown: 1px; --sitrep-radius: 0.25rem }');
    await until(() => told().includes('too weak'), 'a weak colour is told');
    if (!location.hash.includes('sitrep-accent')) throw new Error('The choice is not in the address.');
    const { value } = root.querySelector('textarea')!;
    if (value !== ':root {\n  --sitrep-accent: light-dark(#bcd, #234);\n  --sitrep-radius: 0.25rem;\n}\n') throw new Error(value);
    const bar = root.querySelector('progress-card')!.shadowRoot!.querySelector('.base')!;
    if (getComputedStyle(bar).borderRadius !== '4px') throw new Error('The elements do not wear what was pasted.');
    await paste('');
    await until(() => told() === 'enough everywhere', 'the defaults are back');
  },
};

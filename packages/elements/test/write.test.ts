import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matches } from '../src/server/matches.ts';
import { Element, Text } from '../src/server/tree.ts';
import { write } from '../src/server/write.ts';
import type { Rules } from '../src/server/write.ts';

const element = (tag: string, ...nodes: (Element | string)[]): Element => {
  const made = new Element(tag);
  made.append(...nodes);
  return made;
};
const rules = (): Rules => ({ css: '', count: 0 });

describe('markup of what code made', () => {
  it('puts what stands in an element into that element, not into one that is drawn within it', () => {
    const draw = (made: Element, light: () => string): string => {
      if (made.localName === 'x-inner') return `<x-inner><template shadowrootmode="open">inner</template>${light()}</x-inner>`;
      if (made.localName !== 'x-outer') return '';
      const shadow = write(element('', element('x-inner', 'its own')), rules(), draw);
      return `<x-outer><template shadowrootmode="open">${shadow}</template>${light()}</x-outer>`;
    };
    assert.equal(
      write(element('p', element('x-outer', 'of the outer')), rules(), draw),
      '<p><x-outer><template shadowrootmode="open"><x-inner><template shadowrootmode="open">inner</template>its own</x-inner></template>of the outer</x-outer></p>',
    );
  });

  it('leaves an element that nobody draws as it is', () => {
    assert.equal(
      write(element('x-other', 'a < b'), rules(), () => ''),
      '<x-other>a &lt; b</x-other>',
    );
  });

  it('finds the first that fits in the order of the document, and all of them', () => {
    const root = element('', element('div', element('p', 'a'), element('span', element('p', 'b'))), element('p', 'c'));
    assert.equal(root.querySelector('p')?.textContent, 'a');
    assert.deepEqual(
      root.querySelectorAll('p').map(({ textContent }) => textContent),
      ['a', 'b', 'c'],
    );
    assert.equal(root.querySelector('em'), null);
    assert.ok(root.children.every((child) => child instanceof Element && !((child as unknown) instanceof Text)));
  });

  it('reads selectors the same each time', () => {
    const one = element('li');
    one.setAttribute('class', 'a b');
    one.setAttribute('part', 'row step');
    one.setAttribute('id', 'i');
    for (let time = 0; time < 2; time++) {
      for (const selector of ['li', '.b', '#i', '[part]', "[part~='step']", '[part^=row]', 'li.a:not(.c)', '*', 'p, li'])
        assert.equal(matches(one, selector), true, selector);
      for (const selector of ['', 'p', '.c', '#j', '[class=a]', "[part~='ro']", 'li:not(.a)', 'li > p', 'p, em'])
        assert.equal(matches(one, selector), false, selector);
    }
  });
});

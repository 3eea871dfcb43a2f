/** What can be asked for. */
interface Element {
  readonly localName: string;
  getAttribute(name: string): string | null;
}

type Test = (element: Element) => boolean;

const SIMPLE = /^([\w-]+)|^\.([\w-]+)|^#([\w-]+)|^\[([\w-]+)(?:([~^]?)=["']?([^"'\]]*)["']?)?\]|^:not\(([^()]*)\)|^\*/;
/** Elements ask for the same few things again and again. */
const read = new Map<string, Test>();
const KEPT = 512;

/** True if the element fits the selector: a list of compounds, of which no one asks for what is around it. */
export function matches(element: Element, selector: string): boolean {
  return testOf(selector)(element);
}

/** The selector as a question to put to many elements. */
export function testOf(selector: string): Test {
  let test = read.get(selector);
  if (!test) {
    const compounds = selector.split(',').map((one) => compoundOf(one.trim()));
    const [first] = compounds;
    test = compounds.length === 1 ? first! : (element) => compounds.some((fits) => fits(element));
    if (read.size >= KEPT) read.clear();
    read.set(selector, test);
  }
  return test;
}

const never: Test = () => false;

function compoundOf(selector: string): Test {
  if (!selector) return never;
  const tests: Test[] = [];
  for (let rest = selector; rest;) {
    const found = SIMPLE.exec(rest);
    if (!found) return never;
    rest = rest.slice(found[0].length);
    tests.push(simpleOf(found));
  }
  return tests.length === 1 ? tests[0]! : (element) => tests.every((fits) => fits(element));
}

function simpleOf([, tag, name, id, attribute, how, value, not]: RegExpExecArray): Test {
  if (tag !== undefined) return (element) => element.localName === tag;
  if (name !== undefined) return (element) => ` ${element.getAttribute('class') ?? ''} `.includes(` ${name} `);
  if (id !== undefined) return (element) => element.getAttribute('id') === id;
  if (not !== undefined) {
    const fits = testOf(not);
    return (element) => !fits(element);
  }
  if (attribute === undefined) return () => true;
  return (element) => {
    const has = element.getAttribute(attribute);
    if (has === null || value === undefined) return has !== null;
    return how === '~' ? has.split(/\s+/).includes(value) : how ? has.startsWith(value) : has === value;
  };
}

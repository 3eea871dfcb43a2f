// What assistive technology finds in a story, as the browser tells it: one line for each thing, deeper ones further in.

/** Of no interest by themselves. */
const SILENT = new Set(['generic', 'none', 'InlineTextBox', 'ListMarker', 'LayoutTableRow', 'LineBreak', 'SvgRoot']);
const YES = ['pressed', 'disabled', 'selected', 'checked', 'current'];

/** The tree below the root of the story. */
export async function treeOf(context, page) {
  const session = await context.newCDPSession(page);
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const { root } = await session.send('DOM.getDocument', { depth: 0 });
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#storybook-root' });
    const { node } = await session.send('DOM.describeNode', { nodeId });
    const byId = new Map(nodes.map((one) => [one.nodeId, one]));
    const top = nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === node.backendNodeId);
    const lines = [];
    walk(top, 0, '');
    return lines;

    function walk(one, depth, above) {
      const role = one.role?.value;
      const name = (one.name?.value ?? '').replace(/\s+/g, ' ').trim();
      const shown = !one.ignored && !SILENT.has(role) && !(role === 'StaticText' && (name === '' || above.includes(name)));
      if (shown) lines.push(`${'  '.repeat(depth)}${line(one, role, name)}`);
      if (role === 'StaticText') return;
      for (const id of one.childIds ?? []) {
        const child = byId.get(id);
        if (child) walk(child, shown ? depth + 1 : depth, shown ? name : above);
      }
    }
  } finally {
    await session.detach();
  }
}

function line({ value, description, properties = [] }, role, name) {
  const has = Object.fromEntries(properties.map(({ name: key, value: held }) => [key, held.value]));
  const more = [];
  if (value?.value !== undefined && value.value !== '')
    more.push(`value ${value.value}${has.valuetext ? `, said as "${has.valuetext}"` : ''}`);
  if (has.expanded !== undefined) more.push(has.expanded ? 'expanded' : 'collapsed');
  if (has.level !== undefined) more.push(`level ${has.level}`);
  for (const key of YES) if (has[key] === true || has[key] === 'true') more.push(key);
  if (description?.value) more.push(`described as "${description.value.replace(/\s+/g, ' ').trim()}"`);
  return [role === 'StaticText' ? 'text' : role, name && `"${name}"`, more.join(', ')].filter(Boolean).join(' ');
}

/** The trees as a file, laid out as all files of this repository are. */
export function written(trees) {
  const entries = Object.entries(trees)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, lines]) => {
      const texts = lines.map((one) => JSON.stringify(one));
      const short = `  ${JSON.stringify(id)}: [${texts.join(', ')}]`;
      return short.length < 140 ? short : `  ${JSON.stringify(id)}: [\n${texts.map((one) => `    ${one}`).join(',\n')}\n  ]`;
    });
  return `{\n${entries.join(',\n')}\n}\n`;
}

/** How a tree differs from the one that is kept. */
export function compareTree(now, kept) {
  if (!kept) return 'no accessibility tree is kept for it: npm run pictures keeps one';
  const at = Array.from({ length: Math.max(now.length, kept.length) }, (_none, index) => index).find((index) => now[index] !== kept[index]);
  return at === undefined ? undefined : `assistive technology finds ${now[at] ?? 'nothing more'} in place of ${kept[at] ?? 'nothing more'}`;
}

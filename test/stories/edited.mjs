// What a reader of the stories changes in the records beside one is to be seen at once.

/** Fields of records that are drawn as they are. */
const DRAWN = ['activeTitle', 'prompt', 'step', 'title'];
const WRITTEN = 'Written beside the story';

/** Writes into the records of the story that is shown, as its controls do; answers what is wrong with what is drawn then. */
export async function changedBeside(page, id) {
  const [, changed] = await page.evaluate(edit, [id, DRAWN, WRITTEN]);
  if (!changed) return ['has no record among its arguments that could be changed'];
  const seen = await page.waitForFunction(drawn, WRITTEN, { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
  return seen ? [] : [`what was written into ${changed} is not drawn`];
}

/** Runs in the page: changes the text of a record in the arguments, and has the story drawn anew. */
function edit([id, fields, text]) {
  const channel = globalThis['__STORYBOOK_ADDONS_CHANNEL__'];
  const [{ args }] = channel.last('storyPrepared');
  const updatedArgs = structuredClone(args);
  let changed = '';
  const write = (value, path) => {
    if (!value || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      if (fields.includes(key) && typeof inner === 'string') {
        value[key] = text;
        changed ||= `${path}.${key}`;
      } else write(inner, `${path}.${key}`);
    }
  };
  for (const [name, value] of Object.entries(updatedArgs)) write(value, name);
  channel.emit('updateStoryArgs', { storyId: id, updatedArgs });
  return [id, changed];
}

/** Runs in the page: whether a text can be read anywhere in it. */
function drawn(text) {
  const inside = (node) =>
    [...node.childNodes].some(
      (child) =>
        (child.nodeType === Node.TEXT_NODE && child.data.includes(text)) || (child.shadowRoot && inside(child.shadowRoot)) || inside(child),
    );
  return inside(document.body);
}

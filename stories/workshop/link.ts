/** The address of a page or a story from within another one. */
export const linkTo = (id: string): string => `./?path=/${id.endsWith('--docs') ? 'docs' : 'story'}/${id}`;

/** The address of the page about an element. */
export const pageOf = (tag: string): string => linkTo(`${tag}--docs`);

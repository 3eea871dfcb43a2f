const PLAIN_KEY = /^[A-Za-z_$][\w$.-]{0,39}$/;

/** True for a key that may be named in an issue. Others are content: long, odd, or meant to be read as something else. */
export function isPlainKey(key: string): boolean {
  return PLAIN_KEY.test(key);
}

/** JSON Pointer to a member. A key that may not be named yields the pointer of its owner. */
export function member(path: string, key: string): string {
  return isPlainKey(key) ? `${path}/${key}` : path;
}

/** The pointer as it reads in a sentence: `/plan/3/step` is `plan[3].step`, the root is `the value`. */
export function fieldName(path: string): string {
  if (path === '') return 'the value';
  let name = '';
  for (let start = 1, end = 0; end >= 0; start = end + 1) {
    end = path.indexOf('/', start);
    name = named(name, end < 0 ? path.slice(start) : path.slice(start, end));
  }
  return name;
}

function named(owner: string, part: string): string {
  const digit = part.charCodeAt(0) - 48;
  if (digit >= 0 && digit <= 9 && /^\d+$/.test(part)) return `${owner}[${part}]`;
  return owner === '' ? part : `${owner}.${part}`;
}

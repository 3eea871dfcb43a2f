/** What stands in the place of a secret. */
const MASK = '***';

/** Names of what must not be told. */
const NAME = '[\\w-]*(?:api_?key|[_-]key|token|secret|passwd|password|passphrase|credential|cookie)[\\w-]*';
const VALUE = '(?:"[^"]*"|\'[^\']*\'|[^\\s"\'&;|]+)';

/** Each keeps its first group and puts the mask behind it. All are linear in the length of a text. */
const RULES: readonly RegExp[] = [
  // https://user:password@host
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"']+(?=@)/gi,
  // Authorization: Bearer …
  /(\bauthorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest)\s+)?)[^\s"',]+/gi,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  // API_KEY=…, ?token=…, "password": …
  new RegExp(`(\\b${NAME}["']?\\s?[=:]\\s?)${VALUE}`, 'gi'),
  // --password …
  new RegExp(`(\\s--?${NAME}\\s+)${VALUE}`, 'gi'),
  // curl -u name:password
  /(\s(?:-u|--user)\s?["']?[^\s:"']{1,100}:)[^\s"']+/g,
  // Keys that are known by how they begin.
  /()\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /()\b(?:gh[oprsu]_|github_pat_|glpat-|npm_(?=[A-Za-z0-9]{36})|xox[abeprs]-|AKIA|ASIA|AIza)[\w-]{12,}/g,
  /()\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g,
  /()-----BEGIN [A-Z ]{0,30}PRIVATE KEY[\s\S]*/g,
];

/** What a command writes into a file by itself: `cat > a.txt <<EOF` and all after that line. */
const HERE_DOCUMENT = /(<<-?\s*["'\\]?\w+["']?[^\n]*)\n[\s\S]*/;

/** A text without what looks like a password, key or token, and without the contents of files a command writes. */
export function withoutSecrets(text: string): string {
  return RULES.reduce((rest, rule) => rest.replace(rule, `$1${MASK}`), text.replace(HERE_DOCUMENT, '$1'));
}

/** Sessions whose root is remembered. */
const MAX_KNOWN = 1_000;

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null ? (value as Members) : undefined;
}

/** OpenCode's id of the session an event is about, or undefined. */
export function sessionOf(event: unknown): string | undefined {
  const frame = membersOf(event);
  const properties = membersOf(frame?.['properties'] ?? frame?.['data']);
  const info = membersOf(properties?.['info']);
  const id = properties?.['sessionID'] ?? membersOf(properties?.['part'])?.['sessionID'] ?? info?.['sessionID'] ?? info?.['id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * Which session a person began each session in: subagents have sessions of their own, which belong to the one that started
 * them. A session nobody told of is its own root.
 */
export class Roots {
  readonly #roots = new Map<string, string>();

  /** The root of the session an event is about; learns from the event whose child it is. */
  of(session: string, event: unknown): string {
    const known = this.#roots.get(session);
    if (known !== undefined) {
      this.#remember(session, known);
      return known;
    }
    const frame = membersOf(event);
    const info = membersOf(membersOf(frame?.['properties'] ?? frame?.['data'])?.['info']);
    const parent = info?.['id'] === session ? info['parentID'] : undefined;
    const root = typeof parent === 'string' ? (this.#roots.get(parent) ?? parent) : session;
    // Only what was said is kept: a session that is its own root may yet turn out to be a child.
    if (root !== session || info?.['id'] === session) this.#remember(session, root);
    return root;
  }

  #remember(session: string, root: string): void {
    // The one heard of last at the end, so that the one let go is the one that has been silent longest.
    this.#roots.delete(session);
    this.#roots.set(session, root);
    const oldest = this.#roots.size > MAX_KNOWN ? this.#roots.keys().next().value : undefined;
    if (oldest !== undefined) this.#roots.delete(oldest);
  }
}

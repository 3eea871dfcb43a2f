import { VERSION } from './version.ts';
import { warnOnce } from './warn-once.ts';

/** A class of some version of this package, or of somebody else. */
type Versioned = CustomElementConstructor & { version?: string };

/**
 * Registers an element. The first one of a name stays, whoever brought it; that of another version is told, once for all tags. The
 * same version again, from another bundle or after a hot reload, does no harm.
 */
export function defineOnce(tag: string, element: Versioned): void {
  const registry = globalThis.customElements;
  const there: Versioned | undefined = registry?.get(tag);
  element.version = VERSION;
  if (!there) registry?.define(tag, element);
  else if (there.version !== VERSION)
    warnOnce(
      there.version
        ? `@sitrep/elements ${there.version} came first and stays; not used is ${VERSION}.`
        : `<${tag}> is something else here.`,
    );
}

// The code of a page that a server has drawn: one line.
import '@sitrep/elements/hydrate';

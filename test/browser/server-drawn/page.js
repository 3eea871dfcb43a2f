// The code of a page that a server has drawn: one line, and one more for the elements that few pages need.
import '@sitrep/elements/hydrate';
import '@sitrep/elements/define/all';

// The code of a page that knows nothing of a server.
import '@sitrep/elements/define/all';

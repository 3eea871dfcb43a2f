// All that the page runs: it takes over what the server drew, and follows the session.
import '@sitrep/elements/hydrate';

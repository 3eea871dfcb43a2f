import '@sitrep/elements/types/preact';

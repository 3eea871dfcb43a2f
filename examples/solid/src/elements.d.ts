import '@sitrep/elements/types/solid';

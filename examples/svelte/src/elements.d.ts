import '@sitrep/elements/types/svelte';

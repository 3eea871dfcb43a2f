import '@sitrep/elements/types/vue';

// The tags in JSX. What comes from '@sitrep/elements/react' needs no such line.
import '@sitrep/elements/types/react';

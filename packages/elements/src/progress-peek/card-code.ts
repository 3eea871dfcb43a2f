/** Gets what draws cards when the first one is about to be shown: the define module says how. */
export const cardCode: { load: () => Promise<unknown> } = { load: () => Promise.resolve() };

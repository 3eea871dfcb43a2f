import type { Source, SourceSink } from '@sitrep/client';

export interface ScriptedSource extends Source {
  /** One entry per opening, oldest first. */
  readonly openings: { sink: SourceSink; signal: AbortSignal; cursor: string | undefined; finish(): void }[];
  /** The newest opening's sink. */
  readonly sink: SourceSink;
}

/** A source whose every opening is driven by the test. `onOpen` gets the number of the opening, from 0. */
export function scripted(onOpen: (sink: SourceSink, number: number) => void = (sink) => sink.connection('live')): ScriptedSource {
  const openings: ScriptedSource['openings'] = [];
  return {
    openings,
    get sink() {
      return openings.at(-1)!.sink;
    },
    open: (sink, signal) =>
      new Promise((finish) => {
        openings.push({ sink, signal, cursor: sink.cursor(), finish });
        signal.addEventListener('abort', () => finish());
        sink.connection('connecting');
        onOpen(sink, openings.length - 1);
      }),
  };
}

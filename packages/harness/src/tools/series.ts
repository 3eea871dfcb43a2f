import { mintId } from '../reporter/ids.ts';

/**
 * One operation for successive calls of `report_progress`, which has no id of its own to tell them apart by: all calls
 * given the same series report on the same operation until one of them ends it; the next begins another. Make one per
 * run, or per agent within it; never share one between agents that work at the same time.
 */
export interface ReportSeries {
  /** The operation of the next call. */
  readonly id: string;
  /** Called with what a call reported. */
  reported(ended: boolean): void;
}

/** Makes a series. */
export function createReportSeries(): ReportSeries {
  let id = mintId();
  return {
    get id() {
      return id;
    },
    reported(ended) {
      if (ended) id = mintId();
    },
  };
}

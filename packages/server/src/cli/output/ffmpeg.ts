import type { Said, Tool } from './types.ts';

const INPUT = /^Input #(\d+),/;
const DURATION = /^Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?),/;
const STATUS = /^(?:frame= *\d+|size= *(?:\d+|N\/A)).* time=(\d+):(\d\d):(\d\d(?:\.\d+)?) /;
/** Options after which the output is not as long as the input. */
const CHANGES_LENGTH =
  /^-(?:t|to|ss|sseof|shortest|fs|loop|stream_loop|itsscale|itsoffset|frames(?::\w+)?|[vad]frames|filter_complex\w*|lavfi|re|enc_time_base|apply_cropping)$/;
const FILTER = /^-(?:vf|af|filter(?::\S+)?)$/;
const CHANGES_TIME =
  /(?:^|[,;[\]])\s*(?:a?trim|a?setpts|atempo|a?loop|a?reverse|tpad|apad|fps|framestep|select|aselect|concat|minterpolate|a?realtime)\b/;

/**
 * ffmpeg: the time it has written, in seconds, of the length of its input. That is the length of its output only when
 * there is one input and nothing that cuts, repeats or stretches it; else there is no whole to compare with.
 */
export const ffmpeg: Tool = {
  names: ['ffmpeg'],
  start(args) {
    const keepsLength = args !== undefined && args.filter((arg) => arg === '-i').length === 1 && !args.some(changes);
    let inputs = 0;
    let length: number | undefined;
    return {
      read({ text }): Said | undefined {
        if (INPUT.test(text)) {
          inputs += 1;
          length = undefined;
          return {};
        }
        const duration = DURATION.exec(text);
        if (duration) {
          if (inputs === 1) length ??= seconds(duration);
          return {};
        }
        const status = STATUS.exec(`${text} `);
        if (!status) return undefined;
        const current = seconds(status);
        // The last frames may lie a little beyond the length that the header gives.
        const total = keepsLength && inputs === 1 && length !== undefined && current <= length * 1.02 + 0.5 ? length : null;
        return { current, total, fraction: null, unit: 's', message: text.replace(/= +/g, '=') };
      },
    };
  },
};

function changes(arg: string, at: number, args: readonly string[]): boolean {
  return CHANGES_LENGTH.test(arg) || (FILTER.test(arg) && CHANGES_TIME.test(args[at + 1] ?? ''));
}

function seconds([, hours, minutes, rest]: RegExpExecArray): number {
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)) * 1000) / 1000;
}

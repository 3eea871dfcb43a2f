import { counted, NO_AMOUNT, saying } from './amounts.ts';
import type { Said, Tool } from './types.ts';

/** BuildKit and Compose in a terminal: a heading that is drawn over itself. */
const HEADING =
  /^\[\+\] (Building|Running|Pulling|Pushing|Creating|Stopping|Removing|Starting|up|pull|down|build) (?:[\d.]+s )?\(?(\d+)\/(\d+)\)?(?: (.*))?$/i;
const INSTRUCTION =
  '((?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\\b.*)';
/** BuildKit elsewhere: the steps of one stage. */
const STEP = new RegExp(String.raw`^#\d+ \[(?:([^\]\s]+) +)?(\d+)\/(\d+)\] ${INSTRUCTION}$`, 'i');
/** The older builder. */
const CLASSIC = new RegExp(String.raw`^Step (\d+)\/(\d+) : ${INSTRUCTION}$`, 'i');
const LAYER =
  /^([0-9a-f]{12}): (Pulling fs layer|Waiting|Preparing|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists|Pushing|Pushed|Layer already exists|Mounted from)\b/;
const BEGINS = /^(?:[\w.-]+: Pulling from |The push refers to repository )/;
const ANNOUNCES = new Set(['Pulling fs layer', 'Waiting', 'Preparing', 'Already exists', 'Layer already exists']);
const DONE = new Set(['Pull complete', 'Already exists', 'Pushed', 'Layer already exists', 'Mounted from']);
const MAX_LAYERS = 500;

/**
 * docker: steps of a build, layers of a pull or a push. Stages that are built side by side have no common count, so with
 * two of them there is none; and layers are counted once all have been announced.
 */
export const docker: Tool = {
  names: ['docker', 'docker-compose', 'podman', 'nerdctl', 'buildx'],
  start() {
    const stages = new Set<string>();
    const layers = new Map<string, boolean>();
    let announced = false;
    return {
      read({ text }): Said | undefined {
        const heading = HEADING.exec(text);
        if (heading) return saying(counted(heading[2], heading[3]), `${heading[1]}${heading[4] === 'FINISHED' ? ' finished' : ''}`);
        const step = STEP.exec(text);
        if (step) {
          if (stages.size < 10) stages.add(step[1] ?? '');
          return saying(stages.size > 1 ? NO_AMOUNT : begun(step[2], step[3]), step[4]);
        }
        const classic = CLASSIC.exec(text);
        if (classic) return saying(begun(classic[1], classic[2]), classic[3]);
        if (BEGINS.test(text)) {
          layers.clear();
          announced = false;
          return { ...NO_AMOUNT, message: text };
        }
        const layer = LAYER.exec(text);
        if (!layer) return undefined;
        const [, id = '', state = ''] = layer;
        if (layers.has(id) || layers.size < MAX_LAYERS) layers.set(id, layers.get(id) === true || DONE.has(state));
        announced ||= !ANNOUNCES.has(state);
        const done = [...layers.values()].filter(Boolean).length;
        return saying(announced && layers.size < MAX_LAYERS ? counted(done, layers.size, 'layers') : {}, text);
      },
    };
  },
};

/** A step is named when it begins: those before it are done. */
function begun(step: unknown, steps: unknown): Said | undefined {
  return Number(step) > Number(steps) ? undefined : counted(Number(step) - 1, steps, 'steps');
}

import type { ToolName } from './tool.ts';

/** What decides whether a model is reminded of its progress card. */
export interface NudgeConditions {
  /** The run may call `progress_card`: it survived the host's tool policy. A nudge never overrides that. */
  readonly toolAllowed: boolean;
  /** Somebody connected can show a card: a web page or an app, not a text channel alone. */
  readonly rendererConnected: boolean;
  /** The agent's main session, which has its own ways to keep its user informed. */
  readonly mainSession: boolean;
  /** The run uses the agent's small utility model. */
  readonly utilityModel: boolean;
  /** The run belongs to a subagent, whose card nobody follows. */
  readonly subagent?: boolean | undefined;
}

/** The sentence to add to the system prompt, or undefined when there is no reason for it. */
export function progressCardNudge(conditions: NudgeConditions): string | undefined {
  const { toolAllowed, rendererConnected, mainSession, utilityModel, subagent = false } = conditions;
  if (!toolAllowed || !rendererConnected || mainSession || utilityModel || subagent) return undefined;
  return (
    'While you work through several steps, call progress_card whenever one of them begins or ends: the user reads that ' +
    'card and not the transcript. Put only amounts on it that you have counted.'
  );
}

/** A client of the host, as far as it says what it is. */
export interface ConnectedClient {
  /** Its own name, such as `webchat` or `acme-ios`. */
  readonly id?: string | undefined;
  /** What it runs on, such as `web` or `darwin`. */
  readonly platform?: string | undefined;
}

const PLATFORMS: ReadonlySet<string> = new Set(['web', 'ios', 'ipados', 'android', 'macos', 'darwin']);
const APPS = /(?:^|[-_.])(?:control-ui|webchat|web|ios|android|macos)$/;

/** True when one of the connected clients can draw a card: a web page or an iOS, Android or macOS app. A channel cannot. */
export function hasCardRenderer(clients: Iterable<ConnectedClient>): boolean {
  for (const { id = '', platform = '' } of clients) {
    if (PLATFORMS.has(platform.toLowerCase()) || APPS.test(id.toLowerCase())) return true;
  }
  return false;
}

/** What a host's configuration says about tools. */
export interface ToolPolicy {
  /** False takes the card away, whatever the lists say. */
  readonly updatePlan?: boolean | undefined;
  /** Names that may not be called; `*` is all of them. A denial wins over an allowance. */
  readonly deny?: readonly string[] | undefined;
  /** Names that alone may be called. Absent: all. */
  readonly allow?: readonly string[] | undefined;
}

/** The name that `progress_card` had in older lists. */
const OLDER: Readonly<Record<string, string>> = { progress_card: 'update_plan' };

/** Whether a tool survives the policy. `update_plan` in an older list means `progress_card`. */
export function isToolAllowed(name: ToolName, { updatePlan, deny = [], allow }: ToolPolicy): boolean {
  const names = [name, OLDER[name], '*'];
  const isListed = (list: readonly string[]): boolean => list.some((each) => names.includes(each.trim().toLowerCase()));
  if (name === 'progress_card' && updatePlan === false) return false;
  return !isListed(deny) && (allow === undefined || isListed(allow));
}

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

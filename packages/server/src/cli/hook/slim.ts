import { withoutSecrets } from './without-secrets.ts';

/** What is posted, and the harness's own name of the session. */
export interface HookMessage {
  readonly session: string;
  readonly body: unknown;
  /** Absent for events of our own. */
  readonly dialect?: string;
}

/** Characters of a text that are sent. */
const MAX_TEXT = 500;
/** Characters of a text that are looked at: a secret must be seen whole to be known as one. */
const MAX_SEEN = 4_000;
/** Tasks of a list that are sent: more than a card can show. */
const MAX_ITEMS = 60;

/** Members of every input that are needed. Not the prompt, not the answer, no path. */
const MEMBERS = [
  'session_id',
  'hook_event_name',
  'prompt_id',
  'turn_id',
  'source',
  'agent_id',
  'agent_type',
  'tool_name',
  'tool_use_id',
  'is_interrupt',
  'error',
  'error_details',
  'reason',
  'message',
  'notification_type',
  'session_title',
  'mcp_server_name',
  'elicitation_id',
  'action',
  'task_id',
  'task_subject',
];

/** Members of what a tool is given that say what it is about, or make up the list. */
const INPUT = [
  'description',
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'skill',
  'subject',
  'taskId',
  'status',
  'explanation',
];

/** Tools whose answer holds the list. */
const LIST_TOOLS = new Set<unknown>(['TaskCreate', 'TaskUpdate', 'TaskList']);

type Members = Readonly<Record<string, unknown>>;

/**
 * What of the input of a hook is sent: enough to say what is going on, not what it is about. Outputs, prompts and file
 * contents stay where they are, and so does what looks like a password or key.
 */
export function slimClaudeInput(input: unknown): HookMessage | undefined {
  const frame = objectOf(input);
  const session = frame?.['session_id'];
  if (frame === undefined || typeof session !== 'string' || session === '' || typeof frame['hook_event_name'] !== 'string')
    return undefined;
  const body: Record<string, unknown> = picked(frame, MEMBERS);
  // Why a tool failed is its first line; what it put out comes after that.
  if (typeof body['error'] === 'string') body['error'] = body['error'].split('\n', 1)[0];
  const given = objectOf(frame['tool_input']);
  if (given !== undefined)
    body['tool_input'] = {
      ...picked(given, INPUT),
      ...listOf(given, 'todos', ['content', 'status']),
      ...listOf(given, 'plan', ['step', 'status']),
      ...listOf(given, 'questions', ['question']),
    };
  const answer = objectOf(frame['tool_response']);
  if (answer?.['isError'] === true) body['tool_response'] = { isError: true };
  else if (answer !== undefined && LIST_TOOLS.has(frame['tool_name'])) {
    const task = objectOf(answer['task']);
    body['tool_response'] = {
      ...picked(answer, ['success']),
      ...(task === undefined ? undefined : { task: picked(task, ['id', 'subject']) }),
      ...listOf(answer, 'tasks', ['id', 'subject', 'status']),
    };
  }
  return { session, body, dialect: 'claude' };
}

function objectOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function picked(from: Members, names: readonly string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const value = from[name];
    // Half a character at the cut would be shown as a fault.
    if (typeof value === 'string')
      result[name] = withoutSecrets(value.slice(0, MAX_SEEN))
        .slice(0, MAX_TEXT)
        .replace(/[\uD800-\uDBFF]$/, '');
    else if (typeof value === 'number' || typeof value === 'boolean') result[name] = value;
  }
  return result;
}

function listOf(from: Members, name: string, members: readonly string[]): Record<string, unknown> {
  const value = from[name];
  if (!Array.isArray(value)) return {};
  return { [name]: value.slice(0, MAX_ITEMS).map((item) => picked(objectOf(item) ?? {}, members)) };
}

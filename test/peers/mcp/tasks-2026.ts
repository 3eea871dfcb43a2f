import { randomUUID } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

interface Stored {
  readonly createdAt: string;
  readonly label: string | undefined;
  polls: number;
  answered: boolean;
  cancelled: boolean;
}

const params = z.looseObject({ taskId: z.string() });

/**
 * The server's side of the tasks extension of 2026-07-28, which SDK 2.4 leaves to its user: a task moves on with each poll.
 * By its label it ends well, ends with an error result, fails, or asks first.
 */
export function createTasks2026() {
  const tasks = new Map<string, Stored>();

  const told = (taskId: string, status: string, more: object = {}): Record<string, unknown> => ({
    taskId,
    status,
    createdAt: tasks.get(taskId)?.createdAt ?? new Date().toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: 60_000,
    pollIntervalMs: 20,
    ...more,
  });

  function now(taskId: string): Record<string, unknown> {
    const task = tasks.get(taskId);
    if (task === undefined) throw new Error('No such task');
    task.polls += 1;
    if (task.cancelled) return told(taskId, 'cancelled');
    if (task.label === 'asking' && !task.answered) {
      const request = { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url: 'https://example.com/login' } };
      return told(taskId, 'input_required', { inputRequests: { login: request } });
    }
    if (task.polls < 3 || task.label === 'endless') return told(taskId, 'working', { statusMessage: `poll ${task.polls}` });
    if (task.label === 'failing') return told(taskId, 'failed', { error: { code: -32_603, message: 'Worker gone' } });
    const isError = task.label === 'tool-error';
    const content = [{ type: 'text', text: isError ? 'No such file' : 'done' }];
    return told(taskId, 'completed', { result: { resultType: 'complete', content, ...(isError ? { isError } : {}) } });
  }

  return {
    create(label: string | undefined, push: (task: Record<string, unknown>) => void): Record<string, unknown> {
      const taskId = randomUUID();
      if (label === 'pushed') {
        setTimeout(() => push(told(taskId, 'working', { statusMessage: 'Uploading' })), 20);
        setTimeout(() => push(told(taskId, 'completed', { result: { resultType: 'complete', content: [] } })), 40);
      }
      tasks.set(taskId, { createdAt: new Date().toISOString(), label, polls: 0, answered: false, cancelled: false });
      return { resultType: 'task', ...told(taskId, 'working', { statusMessage: 'Queued' }) };
    },
    serve({ server }: McpServer): void {
      server.setRequestHandler('tasks/get', { params }, ({ taskId }) => now(taskId));
      server.setRequestHandler('tasks/update', { params }, ({ taskId }) => {
        const task = tasks.get(taskId);
        if (task !== undefined) task.answered = true;
        return {};
      });
      server.setRequestHandler('tasks/cancel', { params }, ({ taskId }) => {
        const task = tasks.get(taskId);
        if (task !== undefined) task.cancelled = true;
        return {};
      });
    },
  };
}

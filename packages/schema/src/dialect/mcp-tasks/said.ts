/**
 * A server may leave the last `statusMessage` of a task standing while its status moves on. So the words are read only when
 * they are new: "Uploading 3 of 7" beside `completed` is no account of the end, nor is it the question of `input_required`.
 */

/** The last words of each task, oldest first. */
export interface TaskMemory {
  readonly said: readonly (readonly [taskId: string, text: string])[];
}

/** Tasks whose words are remembered; the oldest are let go first. */
const REMEMBERED = 100;

/** True unless these are the words the task said last. */
export function isNews(memory: TaskMemory | undefined, taskId: string, text: string): boolean {
  return memory?.said.find(([id]) => id === taskId)?.[1] !== text;
}

/** The memory after a task said something. */
export function remember(memory: TaskMemory | undefined, taskId: string, text: string): TaskMemory {
  const others = (memory?.said ?? []).filter(([id]) => id !== taskId);
  return { said: [...others.slice(1 - REMEMBERED), [taskId, text]] };
}

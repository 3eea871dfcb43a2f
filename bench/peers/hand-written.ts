/**
 * What a patient person would write for these two shapes and nothing else: one function each, the cheapest test first,
 * no report of what was wrong. It stands for what a check can cost at all.
 */
import { BLOCKED_KINDS, LIMITS, OPERATION_STATES, STEP_STATES } from '@sitrep/schema/wire';
import type { Validator } from './validators.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Code points, counted only where UTF-16 units leave it open. */
function fits(text: string, min: number, max: number): boolean {
  if (text.length <= max) return text.length >= min;
  if (text.length > 2 * max) return false;
  let count = 0;
  for (const _ of text) count++;
  return count <= max;
}
const isText = (value: unknown, min: number, max: number) => typeof value === 'string' && fits(value, min, max);
const isTime = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 4_102_444_800_000;
const isId = (value: unknown) => isText(value, 1, LIMITS.id) || Number.isSafeInteger(value);
const isCount = (value: unknown, min: number) => Number.isSafeInteger(value) && (value as number) >= min;

const optText = (value: unknown, max: number) => value === undefined || value === null || isText(value, 0, max);
const optWord = (value: unknown, min: number, max: number) => value === undefined || isText(value, min, max);
const optNumber = (value: unknown) => value === undefined || value === null || Number.isFinite(value);
const optFlag = (value: unknown) => value === undefined || value === null || typeof value === 'boolean';
const optTime = (value: unknown) => value === undefined || value === null || isTime(value);

const isState = (value: unknown) => (OPERATION_STATES as readonly unknown[]).includes(value);

function isUsage(usage: unknown): boolean {
  if (!isObject(usage)) return false;
  const { tokens, cost, label } = usage;
  if (tokens !== undefined && !(Number.isFinite(tokens) && (tokens as number) >= 0)) return false;
  if (cost !== undefined && !(isObject(cost) && Number.isFinite(cost['amount']) && isText(cost['currency'], 1, 16))) return false;
  return optWord(label, 0, LIMITS.word);
}

function isNative(native: unknown): boolean {
  if (!isObject(native) || !isText(native['protocol'], 1, LIMITS.word) || !optWord(native['state'], 0, LIMITS.word)) return false;
  const ids = native['ids'];
  return ids === undefined || (isObject(ids) && Object.values(ids).every((id) => typeof id === 'string' || Number.isFinite(id)));
}

const given = (value: unknown) => value !== undefined && value !== null;

/** The objects inside an operation: most events carry none of them. */
function innerObjects(e: Fields): boolean {
  const { tool, error, blockedOn, waitingOn, usage, native, ext } = e;
  if (given(tool)) {
    if (!isObject(tool) || !isText(tool['name'], 1, LIMITS.word) || !isText(tool['origin'], 1, LIMITS.word)) return false;
    if (!optWord(tool['server'], 1, LIMITS.word)) return false;
  }
  if (given(error) && !(isObject(error) && isText(error['message'], 0, LIMITS.message) && optWord(error['code'], 0, LIMITS.word)))
    return false;
  if (given(blockedOn)) {
    if (!isObject(blockedOn) || !(BLOCKED_KINDS as readonly unknown[]).includes(blockedOn['kind'])) return false;
    if (!optWord(blockedOn['prompt'], 0, LIMITS.message) || !optWord(blockedOn['requestId'], 0, LIMITS.id)) return false;
  }
  if (given(waitingOn)) {
    if (!isObject(waitingOn) || !optWord(waitingOn['text'], 0, LIMITS.message)) return false;
    if (waitingOn['until'] !== undefined && !isTime(waitingOn['until'])) return false;
  }
  return (!given(usage) || isUsage(usage)) && (!given(native) || isNative(native)) && (!given(ext) || isObject(ext));
}

function operation(e: unknown): boolean {
  return (
    isObject(e) &&
    e['type'] === 'operation' &&
    isText(e['session'], 1, LIMITS.id) &&
    isId(e['id']) &&
    optWord(e['run'], 1, LIMITS.id) &&
    (e['attempt'] === undefined || isCount(e['attempt'], 1)) &&
    (e['seq'] === undefined || isCount(e['seq'], 0)) &&
    isTime(e['at']) &&
    (e['state'] === undefined || isState(e['state'])) &&
    optText(e['title'], LIMITS.title) &&
    optText(e['activeTitle'], LIMITS.title) &&
    optText(e['message'], LIMITS.message) &&
    optNumber(e['current']) &&
    optNumber(e['total']) &&
    optNumber(e['fraction']) &&
    optText(e['unit'], LIMITS.word) &&
    optText(e['kind'], LIMITS.word) &&
    (!given(e['parent']) || isId(e['parent'])) &&
    optText(e['reason'], LIMITS.word) &&
    optTime(e['startedAt']) &&
    optTime(e['endedAt']) &&
    optFlag(e['cancellable']) &&
    optFlag(e['cancelRequested']) &&
    optFlag(e['ambient']) &&
    innerObjects(e)
  );
}

function card(e: unknown): boolean {
  if (!isObject(e) || e['type'] !== 'card' || !isText(e['session'], 1, LIMITS.id) || !isCount(e['revision'], 1)) return false;
  if (!isTime(e['at']) || !optWord(e['run'], 1, LIMITS.id)) return false;
  const body = e['card'];
  if (body === null) return true;
  if (!isObject(body) || !optWord(body['markdown'], 0, LIMITS.noteBytes)) return false;
  const plan = body['plan'];
  if (plan === undefined) return true;
  if (!Array.isArray(plan) || plan.length > LIMITS.planSteps) return false;
  for (const step of plan as unknown[]) {
    if (!isObject(step) || !isText(step['step'], 1, LIMITS.stepBytes)) return false;
    if (!(STEP_STATES as readonly unknown[]).includes(step['status'])) return false;
  }
  return true;
}

export const handWritten: Validator = { name: 'hand-written', make: () => ({ operation, card }) };

import type { Step } from '../wire/card.ts';

/** Steps done and steps in all. Failed and cancelled steps count as steps, not as done. */
export interface PlanCounts {
  readonly completed: number;
  readonly total: number;
}

/** Counts a plan; 0 of 0 when there is none. */
export function planCounts(plan: readonly Step[] | undefined): PlanCounts {
  let completed = 0;
  for (const step of plan ?? []) if (step.status === 'completed') completed += 1;
  return { completed, total: plan?.length ?? 0 };
}

/**
 * Index of the step to show when there is room for one: the first in progress, else the first pending, else the last
 * completed, else the last; -1 without a plan. Steps have no identity but their place.
 */
export function currentStepIndex(plan: readonly Step[] | undefined): number {
  if (plan === undefined) return -1;
  const active = plan.findIndex((step) => step.status === 'in_progress');
  if (active >= 0) return active;
  const next = plan.findIndex((step) => step.status === 'pending');
  if (next >= 0) return next;
  const done = plan.findLastIndex((step) => step.status === 'completed');
  return done >= 0 ? done : plan.length - 1;
}

/** The step at `currentStepIndex`, or undefined without a plan. */
export function currentStep(plan: readonly Step[] | undefined): Step | undefined {
  return plan?.[currentStepIndex(plan)];
}

// What the components for React take, said without JSX.
import { ProgressCard, type ProgressCardProps, type ToolProgressProps } from '@sitrep/elements/react';

export const card: ProgressCardProps = {
  src: '/v1/sessions/demo',
  hidden: false,
  style: { '--sitrep-accent': 'rebeccapurple' },
  onProgressCancelRequest: ({ operation }) => console.log(operation.id),
};
export const row: ToolProgressProps = { operation: { id: 1, attempt: 1, state: 'running', updatedAt: 0 } };
// @ts-expect-error: a record, not a text
export const wrong: ToolProgressProps = { operation: 'build' };
export const name: string | undefined = ProgressCard.displayName;

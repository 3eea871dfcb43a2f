import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Operation, Run } from '@sitrep/schema';
import type { Connection } from '@sitrep/schema/select';
import type { OperationNode } from './tree.ts';

/** One list item for each operation. */
export function rows(
  nodes: readonly OperationNode[],
  runOf: (operation: Operation) => Run | undefined,
  connection: Connection | undefined,
  actions: string | undefined,
): readonly TemplateResult[] {
  return nodes.map(
    ({ operation, nested }) =>
      html`<li part="operation">
        <tool-progress
          .operation=${operation}
          .nested=${nested}
          .run=${runOf(operation)}
          .connection=${connection}
          actions=${actions ?? nothing}
        ></tool-progress>
      </li>`,
  );
}

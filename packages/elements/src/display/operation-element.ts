import type { PropertyDeclarations } from 'lit';
import type { Operation, Run } from '@sitrep/schema';
import type { Connection } from '@sitrep/schema/select';
import { finding } from '../session/finding.ts';
import type { Part } from './part.ts';
import { ProgressElement, property } from './progress-element.ts';
import type { ShownOperation } from './session-link.ts';
import { heardUnder } from './tree.ts';
import type { OperationId, OperationNode } from './tree.ts';

/** An element that stands for one operation: handed over as a record, or named within a session. */
export abstract class OperationElement extends ProgressElement {
  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    operation: property,
    operationId: { attribute: 'operation-id' },
    run: {},
    connection: property,
  };

  /** The operation to show. Takes precedence over `operation-id`. */
  declare operation: Operation | null | undefined;

  /**
   * Identifier of the operation to show, within the session of `src` or of the provider. As an attribute it is text.
   * @attr operation-id
   */
  declare operationId: OperationId | undefined;

  /**
   * The run of the operation: its record, which decides whether the operation can still be alive, or only its key, to
   * tell operations with the same id apart.
   * @attr
   */
  declare run: Run | string | null | undefined;

  /** How the page is connected to where `operation` comes from. Absent, only the record itself speaks. */
  declare connection: Connection | null | undefined;

  protected override get wantsSession(): boolean {
    return !this.operation;
  }

  protected override needs(): readonly (Part<unknown> | false | undefined)[] {
    return [this.wantsSession && this.operationId !== undefined && finding];
  }

  /** The operation and the view it is seen through, or undefined when there is none. */
  protected find(nested: readonly OperationNode[] = []): ShownOperation | undefined {
    const { run, connection } = this;
    const operation = this.record('operation', this.operation);
    if (!operation) return this.link?.find();
    const view = {
      now: Date.now(),
      connection: connection ?? undefined,
      run: typeof run === 'object' ? (run ?? undefined) : undefined,
      heard: heardUnder(nested),
    };
    return { operation, view, language: this.language, nested };
  }
}

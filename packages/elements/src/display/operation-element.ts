import type { PropertyDeclarations } from 'lit';
import type { Operation, Run } from '@sitrep/schema';
import type { Connection, View } from '@sitrep/schema/select';
import type { FeedState } from './feed.ts';
import { findOperation, findRun } from './lookup.ts';
import type { OperationId } from './lookup.ts';
import { ProgressElement } from './progress-element.ts';
import { viewOf } from './shown-state.ts';

/** What an element shows that stands for one operation. */
export interface ShownOperation {
  readonly operation: Operation;
  readonly view: View;
}

/** An element that stands for one operation: handed over as a record, or named within a session. */
export abstract class OperationElement extends ProgressElement {
  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    operation: { attribute: false },
    operationId: { attribute: 'operation-id' },
    run: {},
    connection: { attribute: false },
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

  #drawn: readonly unknown[] = [];

  override feedChanged({ session, error }: FeedState): boolean {
    if (this.operationId === undefined || !session) return true;
    const operation = this.find()?.operation;
    const next = [operation, session.connection, operation && findRun(session.runs, operation.run), error, session.loaded];
    if (this.followsAll || next.some((value, index) => value !== this.#drawn[index])) {
      this.#drawn = next;
      return true;
    }
    return false;
  }

  /** True while the element also draws what lies under its operation. */
  protected get followsAll(): boolean {
    return false;
  }

  protected override get wantsSession(): boolean {
    return !this.operation;
  }

  /** The operation and the view it is seen through, or undefined when there is none. */
  protected find(): ShownOperation | undefined {
    const now = Date.now();
    const own = this.record('operation', this.operation);
    const session = this.feed?.session;
    const runs = session?.runs ?? [];
    const key = typeof this.run === 'string' ? this.run : this.run?.run;
    const named = (operation: Operation): Run | undefined =>
      typeof this.run === 'object' && this.run !== null ? this.run : findRun(runs, operation.run ?? key);
    if (own) return { operation: own, view: viewOf(now, this.connection ?? undefined, named(own)) };
    if (!session || this.operationId === undefined) return undefined;
    const operation = findOperation(session.operations, this.operationId, key);
    return operation && { operation, view: viewOf(now, session.connection, named(operation)) };
  }
}

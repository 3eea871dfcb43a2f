import { ChangeDetectionStrategy, Component, computed, CUSTOM_ELEMENTS_SCHEMA, type ElementRef, signal, viewChild } from '@angular/core';
import type { ProgressCancelRequestEvent, ProgressCard } from '@sitrep/elements';
import { askToStop, letter, src } from './session';

@Component({
  selector: 'app-root',
  changeDetection: ChangeDetectionStrategy.OnPush,
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Sitrep in Angular</h1>
      <button (click)="shown.set(!shown())">{{ shown() ? 'Hide' : 'Show' }}</button>
      <button (click)="pages.set(pages() + 1)">Write a page</button>
      <button (click)="card()?.nativeElement?.scrollIntoView()">Go to the card</button>
      <output>{{ asked() }}</output>
      @if (shown()) {
        <status-pill [src]="src" />
        <progress-card #card [src]="src" open [hidden]="false" actions="cancel" (progress-cancel-request)="onCancel($event)" />
        <tool-progress [operation]="letter()" [open]="false" [hidden]="false" />
      }
    </main>
  `,
})
export class App {
  protected readonly src = src;
  protected readonly shown = signal(true);
  protected readonly pages = signal(1);
  protected readonly asked = signal('');
  protected readonly letter = computed(() => letter(this.pages()));
  protected readonly card = viewChild<ElementRef<ProgressCard>>('card');

  protected onCancel({ operation }: ProgressCancelRequestEvent): void {
    this.asked.set(`Asked to stop: ${operation.title}`);
    void askToStop(operation);
  }
}

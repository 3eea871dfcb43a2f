import type { CachesLike } from './memory.ts';

/** A notification that is shown. */
export interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: unknown;
  close(): void;
}

/** An event a service worker may take its time for. */
export interface WorkerEvent {
  waitUntil(done: Promise<unknown>): void;
}

export interface PushEventLike extends WorkerEvent {
  readonly data: { text(): string } | null;
}

export interface NotificationEventLike extends WorkerEvent {
  readonly notification: ShownNotification;
}

export interface SubscriptionChangeLike extends WorkerEvent {
  readonly newSubscription?: PushSubscriptionLike | null;
}

/** The part of a browser's subscription that is needed. */
export interface PushSubscriptionLike {
  readonly endpoint: string;
  toJSON(): { readonly endpoint?: string; readonly keys?: Record<string, string> };
}

/** A page of the worker's origin. */
export interface PageLike {
  readonly url: string;
  readonly visibilityState?: string;
  postMessage(message: unknown, transfer: MessagePort[]): void;
  focus?(): Promise<unknown>;
}

/** The global scope of a service worker, as far as it is needed. */
export interface PushWorkerScope {
  readonly registration: {
    readonly scope: string;
    showNotification(title: string, options: Record<string, unknown>): Promise<void>;
    getNotifications(filter: { readonly tag: string }): Promise<readonly ShownNotification[]>;
    readonly pushManager: {
      subscribe(options: { readonly userVisibleOnly: true; readonly applicationServerKey: string }): Promise<PushSubscriptionLike>;
    };
  };
  readonly clients: {
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly PageLike[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly caches: CachesLike;
  addEventListener(type: 'push', listener: (event: PushEventLike) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEventLike) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionChangeLike) => void): void;
}

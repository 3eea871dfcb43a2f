import { systemClock } from '../clock.ts';
import { uniqueName } from '../unique-name.ts';
import type { Clock } from '../clock.ts';
import { askGateway } from './api.ts';
import type { GatewayOptions } from './api.ts';
import { isQuestion } from './questions.ts';
import type { Answer } from './questions.ts';

/** Options of `announcePresence`. */
export interface PresenceOptions extends GatewayOptions {
  /** The session this page shows. */
  readonly session: string;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
}

/** Milliseconds between two words to the gateway, which believes a page for 45 s. */
const BEAT_MS = 20_000;

/**
 * Tells a gateway that this page shows a session and whether somebody looks at it, so that nobody is told by push what they see; takes the
 * session's notifications away when it comes into view; and answers the service worker, which asks before it shows one. Ends
 * with the returned function. What fails is not told: at worst a notification too many is shown.
 */
export function announcePresence(options: PresenceOptions): () => void {
  const { session, clock = systemClock } = options;
  const page = uniqueName();
  const path = `/v1/sessions/${encodeURIComponent(session)}/presence`;
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
  let timer: unknown;
  let told = false;
  let stopped = false;
  const isLookedAt = (): boolean => !stopped && document.visibilityState === 'visible';

  function tell(visible: boolean): void {
    if (!visible && !told) return;
    told = visible;
    // Also from a page that is just being left.
    askGateway(options, 'POST', path, { page, visible }, { keepalive: true }).catch(() => undefined);
  }

  function beat(): void {
    clock.clearTimeout(timer);
    const visible = isLookedAt();
    tell(visible);
    if (!visible) return;
    timer = clock.setTimeout(beat, BEAT_MS);
  }

  function changed(): void {
    beat();
    if (isLookedAt()) clearNotifications(session).catch(() => undefined);
  }

  function left(): void {
    clock.clearTimeout(timer);
    tell(false);
  }

  function answer({ data, ports }: MessageEvent): void {
    if (isQuestion(data, session)) ports[0]?.postMessage({ visible: isLookedAt() } satisfies Answer);
  }

  document.addEventListener('visibilitychange', changed);
  addEventListener('pageshow', changed);
  addEventListener('pagehide', left);
  workers?.addEventListener('message', answer);
  // Messages are held back until a page asks for them or has loaded.
  workers?.startMessages();
  changed();

  return () => {
    stopped = true;
    document.removeEventListener('visibilitychange', changed);
    removeEventListener('pageshow', changed);
    removeEventListener('pagehide', left);
    workers?.removeEventListener('message', answer);
    left();
  };
}

async function clearNotifications(session: string): Promise<void> {
  for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
    for (const notification of await registration.getNotifications()) {
      if ((notification.data as { readonly session?: unknown } | null)?.session === session) notification.close();
    }
  }
}

import { createContext } from '@lit/context';
import type { SessionFeed } from '../display/feed.ts';

/** The context in which `<progress-provider>` hands its session to the elements inside it. */
export const sessionContext = createContext<SessionFeed | undefined>(Symbol.for('sitrep.session'));

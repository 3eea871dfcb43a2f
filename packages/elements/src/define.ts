/** Registers every element of the set. */
import './define/progress-card.ts';
import './define/progress-provider.ts';

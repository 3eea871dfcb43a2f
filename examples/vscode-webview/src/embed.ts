import '@sitrep/elements/define';
import { tellHeight } from './frame-height.ts';

// A page for the frame of somebody else's: which session it shows stands in its own address.
document.querySelector('progress-card')!.src = new URLSearchParams(location.search).get('src') ?? '';
tellHeight();

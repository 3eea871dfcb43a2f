/** The same row from Web Awesome's parts: details with a progress bar and a badge. */
import '@awesome.me/webawesome/dist/components/badge/badge.js';
import '@awesome.me/webawesome/dist/components/details/details.js';
import '@awesome.me/webawesome/dist/components/progress-bar/progress-bar.js';
import { designSystem } from './design-system.ts';

export const make = () => designSystem('wa');

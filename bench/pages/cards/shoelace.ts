/** The same row from Shoelace's parts: details with a progress bar and a badge. */
import '@shoelace-style/shoelace/dist/components/badge/badge.js';
import '@shoelace-style/shoelace/dist/components/details/details.js';
import '@shoelace-style/shoelace/dist/components/progress-bar/progress-bar.js';
import { designSystem } from './design-system.ts';

export const make = () => designSystem('sl');

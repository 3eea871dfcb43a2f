import { bootstrapApplication } from '@angular/platform-browser';
import '@sitrep/elements/define';
import { App } from './app';

bootstrapApplication(App).catch((error: unknown) => console.error(error));

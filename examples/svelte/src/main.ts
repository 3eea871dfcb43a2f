import { mount } from 'svelte';
import '@sitrep/elements/define';
import App from './App.svelte';

mount(App, { target: document.getElementById('app')! });

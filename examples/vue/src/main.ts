import { createApp } from 'vue';
import '@sitrep/elements/define';
import App from './App.vue';

createApp(App).mount('#app');

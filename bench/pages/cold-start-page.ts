/** One card, drawn as soon as the code for it is there. */
import { make } from 'cards-under-test';

make().mount(document.getElementById('root')!, 1, 'counting');

// A page that only registers the elements: its tags are typed all the same.
import '@sitrep/elements/define';

const row = document.querySelector('tool-progress');
if (row) row.operation = { id: 'build', attempt: 1, state: 'running', updatedAt: 0 };
document.querySelector('progress-card')?.addEventListener('progress-cancel-request', (event) => console.log(event.operation.id));

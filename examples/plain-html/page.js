const byId = (id) => document.getElementById(id);
const shown = byId('shown');
const card = document.querySelector('progress-card');

// The session of the markup, or the one that the address of this page names.
const src = new URLSearchParams(location.search).get('src') ?? card.getAttribute('src');
for (const element of shown.querySelectorAll('[src]')) element.setAttribute('src', src);

let pages = 1;
const bind = () => {
  document.querySelector('tool-progress').operation = {
    id: 'letter',
    attempt: 1,
    state: 'running',
    title: 'Write a letter',
    current: pages,
    total: 10,
    unit: 'pages',
    updatedAt: Date.now(),
  };
};
bind();

byId('write').addEventListener('click', () => {
  pages += 1;
  bind();
});

byId('toggle').addEventListener('click', ({ target }) => {
  if (shown.isConnected) shown.remove();
  else byId('asked').after(shown);
  target.textContent = shown.isConnected ? 'Hide' : 'Show';
});

byId('go').addEventListener('click', () => card.scrollIntoView());

card.addEventListener('progress-cancel-request', async ({ operation }) => {
  byId('asked').textContent = `Asked to stop: ${operation.title}`;
  const body = JSON.stringify({ type: 'operation', id: operation.id, run: operation.run, cancelRequested: true });
  await fetch(`${src}/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
});

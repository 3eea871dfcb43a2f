import { expect } from '@open-wc/testing';
import { signalPage } from '@sitrep/elements/page-signals';
import { until } from './support.ts';
import { watchedSession } from './watched.ts';

it('page signals leave the icon of the page where its policy allows no other, and ask once only', async () => {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "img-src 'self'";
  document.head.append(policy);
  const own = document.createElement('link');
  own.rel = 'icon';
  own.href = '/own.png';
  document.head.append(own);
  let refusals = 0;
  document.addEventListener('securitypolicyviolation', () => (refusals += 1));
  document.title = 'Inbox';
  const watched = watchedSession(1);
  const stop = signalPage(watched);
  const icons = (): string[] => [...document.head.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')].map(({ href }) => href);
  await until(() => refusals > 0 && icons().join() === own.href, 'the policy was asked');
  watched.move(50);
  await until(() => document.title === '(50%) Inbox', 'the title goes on');
  expect([refusals, icons()]).to.deep.equal([1, [own.href]]);
  stop();
  expect([document.title, icons()]).to.deep.equal(['Inbox', [own.href]]);
});

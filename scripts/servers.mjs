import { existsSync } from 'node:fs';
const first = (...paths) => paths.find((p) => p && existsSync(p));

/** Debian packages of the servers that tests start for themselves. */
export const serverPackages = { redis: ['redis-server'], nginx: ['nginx-light'] };

/** Paths of the servers that tests start for themselves; undefined where one is missing. */
export function findServers() {
  return {
    redis: first(process.env.REDIS_SERVER, '/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'),
    nginx: first(process.env.NGINX, '/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'),
  };
}

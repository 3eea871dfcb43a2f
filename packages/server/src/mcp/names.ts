import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { LIMITS } from '@sitrep/schema';
import { cleanLine, startOf, truncate } from '@sitrep/schema/check';

/** What a client says of itself. */
export interface ClientName {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
}

/** Characters of each part of a derived name. */
const PART = 60;

/**
 * The session of a client that was given none: the folder and the client, so that a person recognises it, and what tells
 * two of them apart. Two chats of one client in one folder must not write over each other's card.
 */
export function derivedSession(folder: string, client: ClientName, unique = true): string {
  const parts = [slug(basename(folder)) || 'folder', slug(client.name ?? '') || 'mcp'];
  if (unique) parts.push(randomBytes(3).toString('hex'));
  return parts.join(':');
}

/** The title of such a session: what the client calls itself, and where. */
export function derivedTitle(folder: string, client: ClientName): string {
  const name = cleanLine(startOf(client.title ?? client.name ?? 'MCP client')) || 'MCP client';
  const place = cleanLine(basename(folder));
  return truncate(place === '' ? name : `${name} in ${place}`, LIMITS.title);
}

function slug(text: string): string {
  const clean = cleanLine(text).toLowerCase();
  return truncate(clean.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, ''), PART).replace(/…$/, '');
}

import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * What may become of a connection. The first ones are about bytes, whatever these mean; the last three are about whole
 * chunks of an answer, or frames of a socket, which is what a gateway writes at a time.
 */
export const FAULTS = ['cut', 'reset', 'refuse', 'half-open', 'mute', 'delay', 'stall', 'dribble', 'duplicate', 'reorder', 'drop'] as const;
export type Fault = (typeof FAULTS)[number];

/** A TCP proxy that passes on what comes, until it begins to spoil every connection in some way, and again once it is healed. */
export interface FaultProxy extends AsyncDisposable {
  /** Address of the proxy, without a slash at the end. */
  readonly url: string;
  /** Connections that went wrong, by how. */
  readonly faults: Readonly<Record<Fault, number>>;
  readonly total: number;
  /** Connections that are there now. */
  readonly open: number;
  /** From now on every new connection goes wrong; those that are there end. */
  begin(): void;
  /** From now on it passes on what comes; connections that are there end. */
  heal(): void;
}

export interface FaultProxyOptions {
  /** Where it leads. */
  readonly target: string;
  /** Decides everything: 0 up to 1. */
  readonly random: () => number;
  readonly faults?: readonly Fault[];
  /** Bytes of answers after which a connection goes wrong at the latest. Default: 6,000. */
  readonly maxBytes?: number;
  /** Milliseconds after which it does. Default: 120. */
  readonly maxMs?: number;
}

export async function faultProxy({
  target,
  random,
  faults = FAULTS,
  maxBytes = 6_000,
  maxMs = 120,
}: FaultProxyOptions): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const counts = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const sockets = new Set<Socket>();
  let healed = true;
  let total = 0;
  const pick = (below: number): number => Math.floor(random() * below);

  const turn = (to: boolean): void => {
    healed = to;
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer({ noDelay: true }, (client) => {
    sockets.add(client);
    client.on('error', () => undefined).on('close', () => sockets.delete(client));
    const fault = healed ? undefined : faults[pick(faults.length)]!;
    if (fault !== undefined) {
      counts[fault] += 1;
      total += 1;
    }
    if (fault === 'refuse') return void client.resetAndDestroy();
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    upstream.on('error', () => client.destroy()).on('close', () => fault === 'half-open' || fault === 'mute' || client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (bytes) => upstream.write(bytes));
    if (fault === undefined) return void upstream.on('data', (bytes) => client.write(bytes));
    // A connection that says nothing at all, though it is there.
    if (fault === 'mute') return void upstream.resume();
    spoil(fault, upstream, client, { bytes: 1 + pick(maxBytes), ms: 1 + pick(maxMs), pick });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: counts,
    get total() {
      return total;
    },
    get open() {
      return sockets.size;
    },
    begin: () => turn(false),
    heal: () => turn(true),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Plan {
  /** Bytes of the answer that come through. */
  readonly bytes: number;
  /** Milliseconds after which it ends all the same. */
  readonly ms: number;
  readonly pick: (below: number) => number;
}

function spoil(fault: Fault, upstream: Socket, client: Socket, { bytes, ms, pick }: Plan): void {
  let left = bytes;
  let over = false;
  const waiting: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  const later = new Set<NodeJS.Timeout>();

  const end = (): void => {
    if (over) return;
    over = true;
    clearTimeout(limit);
    clearTimeout(timer);
    for (const one of later) clearTimeout(one);
    if (fault === 'half-open') return;
    if (fault === 'reset') client.resetAndDestroy();
    else client.end();
    upstream.destroy();
  };
  const limit = setTimeout(end, ms);
  client.on('close', end);
  const write = (data: Buffer): void => {
    if (over) return;
    client.write(data.subarray(0, left));
    left -= data.length;
    if (left <= 0) end();
  };
  const dribble = (): void => {
    const data = waiting.shift();
    timer = undefined;
    if (data === undefined || over) return;
    const size = 1 + pick(7);
    write(data.subarray(0, size));
    if (data.length > size) waiting.unshift(data.subarray(size));
    timer = setTimeout(dribble, 0);
  };
  const chunks = chunkReader((chunk) => {
    const roll = pick(3);
    if (fault === 'drop') return roll === 0 ? undefined : write(chunk);
    if (fault === 'duplicate') {
      write(chunk);
      return roll === 0 ? write(chunk) : undefined;
    }
    if (roll === 0 && waiting.length === 0) return void waiting.push(chunk);
    write(chunk);
    const held = waiting.shift();
    if (held) write(held);
  }, write);

  const started = Date.now();
  upstream.on('data', (data: Buffer) => {
    switch (fault) {
      case 'delay': {
        // Always the same, so that nothing overtakes.
        const one = setTimeout(() => (later.delete(one), write(data)), 15);
        return void later.add(one);
      }
      case 'stall':
        // Nothing for a while, then all of it together.
        waiting.push(data);
        timer ??= setTimeout(
          () => ((timer = undefined), write(Buffer.concat(waiting.splice(0)))),
          Math.max(0, started + ms / 2 - Date.now()),
        );
        return;
      case 'dribble':
        waiting.push(data);
        timer ??= setTimeout(dribble, 0);
        return;
      case 'duplicate':
      case 'reorder':
      case 'drop':
        return chunks(data);
      default:
        return write(data);
    }
  });
}

/** Cuts answers in chunked coding into their chunks, and sockets into their frames; the head and all else go to `rest` as they are. */
function chunkReader(onChunk: (chunk: Buffer) => void, rest: (bytes: Buffer) => void): (data: Buffer) => void {
  let buffer: Buffer = Buffer.alloc(0);
  let mode: 'head' | 'chunks' | 'frames' | 'plain' = 'head';
  return (data) => {
    buffer = Buffer.concat([buffer, data]);
    if (mode === 'head') {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = buffer.subarray(0, end + 4);
      const text = head.toString('latin1');
      mode = text.startsWith('HTTP/1.1 101 ') ? 'frames' : /transfer-encoding: chunked/i.test(text) ? 'chunks' : 'plain';
      buffer = buffer.subarray(end + 4);
      rest(head);
    }
    if (mode === 'plain') {
      rest(buffer);
      buffer = Buffer.alloc(0);
      return;
    }
    for (;;) {
      const length = mode === 'frames' ? frameLength(buffer) : chunkLength(buffer);
      if (!(buffer.length >= length)) return;
      onChunk(buffer.subarray(0, length));
      buffer = buffer.subarray(length);
    }
  };
}

/** Bytes of the first chunk; NaN while that cannot be told. */
function chunkLength(buffer: Buffer): number {
  const line = buffer.indexOf('\r\n');
  const size = line < 0 ? Number.NaN : Number.parseInt(buffer.toString('latin1', 0, line), 16);
  return line + 2 + size + 2;
}

/** Bytes of the first frame a server sent, which masks none; NaN while that cannot be told. */
function frameLength(buffer: Buffer): number {
  if (buffer.length < 2) return Number.NaN;
  const short = buffer[1]! & 0x7f;
  if (short < 126) return 2 + short;
  if (short === 126) return buffer.length < 4 ? Number.NaN : 4 + buffer.readUInt16BE(2);
  return buffer.length < 10 ? Number.NaN : 10 + Number(buffer.readBigUInt64BE(2));
}

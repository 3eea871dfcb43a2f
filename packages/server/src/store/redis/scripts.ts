import { createHash } from 'node:crypto';

/** One script, run whole or not at all where its keys are. */
export interface Script {
  readonly source: string;
  readonly sha: string;
}

function script(source: string): Script {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** A replica cannot be written to, and what is read from it may be old. */
const PRIMARY = `
local info = redis.call('INFO', 'replication')
if string.find(info, 'role:slave', 1, true) then return redis.error_reply('READONLY It is a replica of another server.') end
`;

/**
 * Begins every script about a session. KEYS[1] is its head, ARGV[1] a fresh epoch.
 *
 * Each life of a server as a primary has its own master_replid: a start gives it another one, and so does taking over, the
 * second time as well as the first. A head that was written under another one may lack what was acknowledged after it: its history
 * goes on under a new epoch, so that no position names two events.
 */
const HEAD = `
${PRIMARY}
local boot = string.match(info, 'master_replid:(%w+)')
local head = redis.call('HMGET', KEYS[1], 'epoch', 'seq', 'boot', 'commit')
local epoch, seq = head[1], head[2]
if epoch and head[3] ~= boot then
  epoch = ARGV[1]
  redis.call('HSET', KEYS[1], 'epoch', epoch, 'boot', boot)
end
`;

/** Position: the epoch and the number of the newest event. Null for a session that nothing is stored of. */
export const PEEK = script(`${HEAD}
if not epoch then return false end
return {epoch, seq}
`);

/** What the list shows: epoch, seq, updatedAt, activity, open, title. */
export const SUMMARY = script(`${HEAD}
if not epoch then return false end
return redis.call('HMGET', KEYS[1], 'epoch', 'seq', 'updatedAt', 'activity', 'open', 'title')
`);

/** Everything there is to load. KEYS: head, operations, tombstones in order, their attempts. */
export const LOAD = script(`${HEAD}
if not epoch then return false end
return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('ZRANGE', KEYS[3], 0, -1), redis.call('HGETALL', KEYS[4])}
`);

/** Events after a position. KEYS: head, stream. ARGV: fresh, epoch ('' for any), seq. Answers epoch, seq, whole, then the events. */
export const SINCE = script(`${HEAD}
if not epoch then return false end
local behind = tonumber(seq) - tonumber(ARGV[3])
if (ARGV[2] ~= '' and epoch ~= ARGV[2]) or behind < 0 then return {epoch, seq, 0} end
local answer = {epoch, seq, 1}
if behind == 0 then return answer end
local entries = redis.call('XRANGE', KEYS[2], string.format('%.0f-0', tonumber(ARGV[3]) + 1), '+')
if #entries ~= behind then return {epoch, seq, 0} end
for n = 1, #entries do
  answer[#answer + 1] = entries[n][2][2]
  answer[#answer + 1] = entries[n][2][4]
end
return answer
`);

/** The epoch a session will begin in. KEYS: head, reservation. ARGV: fresh, the epoch to reserve, milliseconds it is kept. */
export const RESERVE = script(`${HEAD}
if epoch then return epoch end
local reserved = redis.call('GET', KEYS[2])
if reserved then
  local name, life = string.match(reserved, '^(%S+) (%S+)$')
  if life == boot then return name end
end
redis.call('SET', KEYS[2], ARGV[2] .. ' ' .. boot, 'PX', ARGV[3])
return ARGV[2]
`);

/**
 * Stores one change, if the session stands where it was made at. Sent again with the same id it is stored once.
 *
 * KEYS: head, operations, tombstones, attempts, stream, reservation, receipts, their order, leases, holds; then, for records, the
 * counter and values and versions of each, or with the flag `owed` the owed ones of the session.
 * ARGV: fresh, base epoch, base seq, epoch, seq, id of the commit, channel, message of the hint, lowest id kept ('' for all),
 * bytes kept, tombstones kept, receipts kept, time before which receipts go, flags; then lists, each after its length: fields
 * of the head with values; fields of the head that go; removed with attempts; operations with values; events as number, type and
 * data; receipts as key, time and value; leases with values; holds with producers ('' for none); records with values as for RECORDS.
 */
export const COMMIT = script(`${HEAD}
local id = ARGV[6]
if head[4] == id then return {'stored'} end
if not epoch then
  if ARGV[3] ~= '0' then return {'moved'} end
  local reserved = redis.call('GET', KEYS[6])
  if reserved then
    local name, life = string.match(reserved, '^(%S+) (%S+)$')
    if life == boot and name ~= ARGV[2] then return {'moved'} end
  end
elseif epoch ~= ARGV[2] or seq ~= ARGV[3] then
  local entry = redis.call('XRANGE', KEYS[5], ARGV[5] .. '-0', ARGV[5] .. '-0')[1]
  if entry and entry[2][8] == id then return {'stored'} end
  if not entry and tonumber(seq) > tonumber(ARGV[5]) then return {'unknown'} end
  return {'moved'}
end

-- Whatever is left of a session without a head is of none any more.
if not epoch then redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[7], KEYS[8], KEYS[9], KEYS[10]) end

local at = 14
local function text() at = at + 1; return ARGV[at] end
local function count() return tonumber(text()) end
local flags = ARGV[14]

if string.find(flags, 'reset', 1, true) then
  redis.call('DEL', KEYS[2], KEYS[5], KEYS[9], KEYS[10])
  redis.call('HDEL', KEYS[1], 'card', 'runs', 'total')
end
for _ = 1, count() do
  local name = text()
  redis.call('HSET', KEYS[1], name, text())
end
for _ = 1, count() do redis.call('HDEL', KEYS[1], text()) end
redis.call('HSET', KEYS[1], 'boot', boot, 'commit', id)

local removed = count()
for _ = 1, removed do
  local key = text()
  redis.call('HDEL', KEYS[2], key)
  redis.call('ZADD', KEYS[3], redis.call('HINCRBY', KEYS[1], 'buried', 1), key)
  redis.call('HSET', KEYS[4], key, text())
end
if removed > 0 then
  local excess = redis.call('ZCARD', KEYS[3]) - tonumber(ARGV[11])
  if excess > 0 then
    local oldest = redis.call('ZPOPMIN', KEYS[3], excess)
    for n = 1, #oldest, 2 do redis.call('HDEL', KEYS[4], oldest[n]) end
  end
end

local buried = redis.call('EXISTS', KEYS[3]) == 1
for _ = 1, count() do
  local key = text()
  redis.call('HSET', KEYS[2], key, text())
  if buried then
    redis.call('ZREM', KEYS[3], key)
    redis.call('HDEL', KEYS[4], key)
  end
end
local events = count()
if events > 0 then
  local total = tonumber(redis.call('HGET', KEYS[1], 'total') or 0)
  for n = 1, events do
    local number, kind, data = text(), text(), text()
    total = total + #data
    if n < events then
      redis.call('XADD', KEYS[5], number .. '-0', 't', kind, 'd', data, 'b', string.format('%.0f', total))
    else
      redis.call('XADD', KEYS[5], number .. '-0', 't', kind, 'd', data, 'b', string.format('%.0f', total), 'c', id)
    end
  end
  redis.call('HSET', KEYS[1], 'total', string.format('%.0f', total))
  if ARGV[9] ~= '' then redis.call('XTRIM', KEYS[5], 'MINID', '=', ARGV[9]) end
  local first = redis.call('XRANGE', KEYS[5], '-', '+', 'COUNT', 1)[1]
  local keep = tonumber(ARGV[10])
  if first and total - tonumber(first[2][6]) + #first[2][4] > keep then
    -- The numbers have no holes: the last one that has to go is found by halving.
    local low, high = tonumber(string.match(first[1], '^%d+')), tonumber(ARGV[5])
    while low < high do
      local middle = math.floor((low + high) / 2)
      local name = string.format('%.0f-0', middle)
      local entry = redis.call('XRANGE', KEYS[5], name, name)[1]
      if total - tonumber(entry[2][6]) > keep then low = middle + 1 else high = middle end
    end
    redis.call('XTRIM', KEYS[5], 'MINID', '=', string.format('%.0f-0', low + 1))
  end
end

local receipts = count()
for _ = 1, receipts do
  local key = text()
  redis.call('ZADD', KEYS[8], text(), key)
  redis.call('HSET', KEYS[7], key, text())
end
if receipts > 0 then
  local excess = redis.call('ZCARD', KEYS[8]) - tonumber(ARGV[12])
  if excess > 0 then
    local oldest = redis.call('ZPOPMIN', KEYS[8], excess)
    for n = 1, #oldest, 2 do redis.call('HDEL', KEYS[7], oldest[n]) end
  end
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[8], '-inf', '(' .. ARGV[13])) do
    redis.call('ZREM', KEYS[8], key)
    redis.call('HDEL', KEYS[7], key)
  end
end
for _ = 1, count() do
  local producer = text()
  redis.call('HSET', KEYS[9], producer, text())
end
for _ = 1, count() do
  local key, producer = text(), text()
  if producer == '' then redis.call('HDEL', KEYS[10], key) else redis.call('HSET', KEYS[10], key, producer) end
end
local isOwed = string.find(flags, 'owed', 1, true)
for n = 1, count() do
  local key, value = text(), text()
  if isOwed then
    local time = redis.call('TIME')
    redis.call('HSET', KEYS[11], key, id .. ' ' .. time[1] .. ' ' .. value)
  elseif value == '' then
    redis.call('HDEL', KEYS[10 + n * 2], key)
    redis.call('ZREM', KEYS[11 + n * 2], key)
  else
    redis.call('HSET', KEYS[10 + n * 2], key, string.sub(value, 2))
    redis.call('ZADD', KEYS[11 + n * 2], redis.call('INCR', KEYS[11]), key)
  end
end
if not epoch then redis.call('DEL', KEYS[6]) end
-- A hint that may not be given must not fail what is stored by now.
if ARGV[8] ~= '' then redis.pcall('SPUBLISH', ARGV[7], ARGV[8]) end
return {'stored'}
`);

/** Lets a session go. KEYS: all of it. */
export const DROP = script(`
local gone = redis.call('EXISTS', KEYS[1])
for n = 1, #KEYS do redis.call('DEL', KEYS[n]) end
return gone
`);

/** The receipt with a key. KEYS: receipts. */
export const RECEIPT = script(`return redis.call('HGET', KEYS[1], ARGV[1])`);

/**
 * Notes sessions as written now, before they are: what is in the index and not there is found out by whoever lists it, what were
 * there and not in the index never would be. KEYS: order, open ones, limit in ARGV[1], then sessions with `1` for open ones.
 * Answers how many are too many, and the places given.
 */
export const TOUCH = script(`
local time = redis.call('TIME')
local place = tonumber(time[1]) * 1000000 + tonumber(time[2])
local newest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
if newest and tonumber(newest) >= place then place = tonumber(newest) + 1 end
local places = {}
for n = 2, #ARGV, 2 do
  local text = string.format('%.0f', place)
  redis.call('ZADD', KEYS[1], text, ARGV[n])
  if ARGV[n + 1] == '1' then redis.call('ZADD', KEYS[2], text, ARGV[n]) end
  places[#places + 1] = text
  place = place + 1
end
return {redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[1]), places}
`);

/** Members of an index from its end. KEYS: index. ARGV: first, last. Answers members with their places. */
export const NEWEST = script(`return redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'REV', 'WITHSCORES')`);

/** Members of an index from its beginning. KEYS: index. ARGV: how many. Answers members with their places. */
export const OLDEST = script(`return redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1, 'WITHSCORES')`);

/** Takes members out of indexes unless they were noted again. KEYS: indexes. ARGV: members with the places they had ('' for any). */
export const FORGET = script(`
for n = 1, #ARGV, 2 do
  for k = 1, #KEYS do
    local place = redis.call('ZSCORE', KEYS[k], ARGV[n])
    if place and (ARGV[n + 1] == '' or tonumber(place) <= tonumber(ARGV[n + 1])) then redis.call('ZREM', KEYS[k], ARGV[n]) end
  end
end
return 1
`);

/**
 * Records that commits wrote down and nobody wrote where they belong. KEYS: owed. ARGV: how many seconds old. Answers name, id of the
 * commit and value of each.
 */
export const OWED = script(`
local before = redis.call('TIME')[1] - ARGV[1]
local answer = {}
local owed = redis.call('HGETALL', KEYS[1])
for n = 1, #owed, 2 do
  local id, time, value = string.match(owed[n + 1], '^(%S+) (%S+) (.*)$')
  if id and tonumber(time) <= before then
    answer[#answer + 1] = owed[n]
    answer[#answer + 1] = id
    answer[#answer + 1] = value
  end
end
return answer
`);

/** Lets owed records go, unless another commit wrote them anew. KEYS: owed. ARGV: names with ids of their commits. */
export const SETTLE = script(`
for n = 1, #ARGV, 2 do
  local value = redis.call('HGET', KEYS[1], ARGV[n])
  if value and string.sub(value, 1, #ARGV[n + 1] + 1) == ARGV[n + 1] .. ' ' then redis.call('HDEL', KEYS[1], ARGV[n]) end
end
return 1
`);

/** Takes or keeps something for a while. KEYS: what. ARGV: by whom, milliseconds. Answers whether it is theirs. */
export const CLAIM = script(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`);

/** Which of the members are not in an index. KEYS: index. ARGV: members. */
export const MISSING = script(`
local answer = {}
for n = 1, #ARGV do
  if not redis.call('ZSCORE', KEYS[1], ARGV[n]) then answer[#answer + 1] = ARGV[n] end
end
return answer
`);

/** Puts members at places in an index, but for those that are in it. KEYS: index. ARGV: places with members. Answers how many were not. */
export const RESTORE = script(`
local restored = 0
for n = 1, #ARGV, 2 do restored = restored + redis.call('ZADD', KEYS[1], 'NX', ARGV[n], ARGV[n + 1]) end
return restored
`);

/** Puts members at places in an index. KEYS KEYS: index. ARGV: places with members. */
export const PLACE = script(`
for n = 1, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[n], ARGV[n + 1]) end
return 1
`);

/** Members of an index that are before or after a time. KEYS: index. ARGV: before (included), after, limit. */
export const OUTSIDE = script(`
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
local late = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[2], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[3])
for n = 1, #late do found[#found + 1] = late[n] end
return found
`);

/** Moves the end of a lease that is there. KEYS: leases, holds. ARGV: producer, value. Answers how much is held, or -1. */
export const RENEW = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return -1 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local held = 0
for _, producer in ipairs(redis.call('HVALS', KEYS[2])) do
  if producer == ARGV[1] then held = held + 1 end
end
return held
`);

/** The leases and what is held. KEYS: leases, holds. */
export const LEASES = script(`return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])}`);

/** One lease. KEYS: leases. ARGV: producer. */
export const LEASE = script(`return redis.call('HGET', KEYS[1], ARGV[1])`);

/** Lets a lease go that has this value, and what is held under it. KEYS: leases, holds. ARGV: producer, value. */
export const END_LEASE = script(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
local holds = redis.call('HGETALL', KEYS[2])
for n = 1, #holds, 2 do
  if holds[n + 1] == ARGV[1] then redis.call('HDEL', KEYS[2], holds[n]) end
end
return 1
`);

/** Writes records if all of them have the versions expected. KEYS: counter, then values and versions of each. ARGV: key, value with `=` before it or '' to take away, version ('' for any). */
export const RECORDS = script(`
local writes = #ARGV / 3
for n = 1, writes do
  local expected = ARGV[n * 3]
  if expected ~= '' and tonumber(expected) ~= tonumber(redis.call('ZSCORE', KEYS[n * 2 + 1], ARGV[n * 3 - 2]) or 0) then return 0 end
end
for n = 1, writes do
  local key, value = ARGV[n * 3 - 2], ARGV[n * 3 - 1]
  if value == '' then
    redis.call('HDEL', KEYS[n * 2], key)
    redis.call('ZREM', KEYS[n * 2 + 1], key)
  else
    redis.call('HSET', KEYS[n * 2], key, string.sub(value, 2))
    redis.call('ZADD', KEYS[n * 2 + 1], redis.call('INCR', KEYS[1]), key)
  end
end
return 1
`);

/** One record. KEYS: values, versions. ARGV: key. */
export const RECORD = script(`return {redis.call('HGET', KEYS[1], ARGV[1]), redis.call('ZSCORE', KEYS[2], ARGV[1])}`);

/** Records in order. KEYS: values, versions. ARGV: index of the last. Answers key, version, value of each. */
export const LIST_RECORDS = script(`
local answer = {}
local keys = redis.call('ZRANGE', KEYS[2], 0, ARGV[1], 'WITHSCORES')
for n = 1, #keys, 2 do
  answer[#answer + 1] = keys[n]
  answer[#answer + 1] = keys[n + 1]
  answer[#answer + 1] = redis.call('HGET', KEYS[1], keys[n])
end
return answer
`);

/** Answers, so that it is known that somebody does.*/
export const PING = script(`${PRIMARY}return 1`);

/** The time of the server, milliseconds. */
export const TIME = script(`
local time = redis.call('TIME')
return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`);

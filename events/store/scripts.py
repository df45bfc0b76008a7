"""What the store does in one breath, so that no crash can come between two halves of a move."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import redis
from redis.exceptions import NoScriptError

from events.store.wire import send, send_all

# Redis and Valkey neither roll a script back nor stop between its commands: so every check stands before the first write,
# and the first write is the one that could fail (the feed's id is the server's own; the log's was just checked).

_HEAD = """
local function head(log)
  local top = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not top then return 0, false end
  local link = false
  for i = 1, #top[2], 2 do
    if top[2][i] == 'l' then link = top[2][i + 1] end
  end
  return tonumber(string.match(top[1], '^%d+')), link
end
"""

_WAKE = """
local function wake(wakes, attempts, game, at)
  if at == '0' then
    local time = redis.call('TIME')
    at = string.format('%.0f', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
  end
  if at == '' then redis.call('ZREM', wakes, game) else redis.call('ZADD', wakes, at, game) end
  redis.call('HDEL', attempts, game)
end
"""

# A repeated command writes its own answer again when replicas are waited for: WAIT covers only its connection's writes.
_APPEND = (
    _HEAD
    + _WAKE
    + """
local gone, cmd, log, wakes, attempts, feed, games, key, names = unpack(KEYS)
local game, expected, link, at = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local field, answer, id, touch = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local secret, length, named = ARGV[9], ARGV[10], tonumber(ARGV[11])

if redis.call('EXISTS', gone) == 1 then return {'archived'} end
if field ~= '' then
  local before = redis.call('HGET', cmd, field)
  if before then
    if touch == '1' then redis.call('HSET', cmd, field, before) end
    return {'repeated', before}
  end
end
local version, top = head(log)
if version ~= expected or (top and top ~= link) then return {'conflict', version} end

local first = 12 + 2 * named
version = expected + (#ARGV - first + 1) / 4
local line = {feed, 'MAXLEN', length, '0-*', 'g', game, 'v', string.format('%.0f', version)}
if at == '0' then line[#line + 1] = 'm'; line[#line + 1] = '1' end
redis.call('XADD', unpack(line))
local number = expected
for i = first, #ARGV, 4 do
  number = number + 1
  local entry = {log, string.format('%.0f-0', number), 'e', ARGV[i], 'l', ARGV[i + 1]}
  if ARGV[i + 2] == '1' then entry[#entry + 1] = 's'; entry[#entry + 1] = ARGV[i + 3] end
  if field ~= '' then entry[#entry + 1] = 'c'; entry[#entry + 1] = id end
  redis.call('XADD', unpack(entry))
end
wake(wakes, attempts, game, at)
if field ~= '' then redis.call('HSET', cmd, field, answer) end
if expected == 0 then redis.call('SADD', games, game) end
if secret ~= '' then redis.call('SETNX', key, secret) end
for i = 12, first - 1, 2 do redis.call('HSET', names, ARGV[i], ARGV[i + 1]) end
return {'written', version}
"""
)

_SETTLE = (
    _HEAD
    + _WAKE
    + """
local log, wakes, attempts = unpack(KEYS)
local version = head(log)
if version == 0 or version ~= tonumber(ARGV[2]) then return 0 end
wake(wakes, attempts, ARGV[1], ARGV[3])
return 1
"""
)

_POSTPONE = """
local wakes, attempts = unpack(KEYS)
local at = redis.call('ZSCORE', wakes, ARGV[1])
if not at or tonumber(at) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', wakes, ARGV[3], ARGV[1])
redis.call('HINCRBY', attempts, ARGV[1], 1)
return 1
"""

# A view's key holds "<checkpoint>\n<bytes>": read in one piece, they can never disagree.
_VIEWS = """
local function save_views(version, count, first)
  if count == 0 then return 0 end
  local saved = redis.call('HGET', KEYS[1], '')
  if saved and tonumber(saved) >= tonumber(version) then return 0 end
  local versions = {'', version}
  for i = 1, count do
    redis.call('SET', KEYS[i + 1], version .. '\\n' .. ARGV[first + 2 * i - 1])
    versions[#versions + 1] = ARGV[first + 2 * i - 2]
    versions[#versions + 1] = version
  end
  redis.call('HSET', KEYS[1], unpack(versions))
  return 1
end
"""

_ROW = """
local function save_row(rows, checkpoints, game, version, there, row)
  local saved = redis.call('HGET', checkpoints, game)
  if saved and tonumber(saved) >= tonumber(version) then return 0 end
  redis.call('HSET', checkpoints, game, version)
  if there == '1' then redis.call('HSET', rows, game, row) else redis.call('HDEL', rows, game) end
  return 1
end
"""

_SAVE_VIEWS = (
    _VIEWS
    + """
return save_views(ARGV[1], #KEYS - 1, 2)
"""
)

_SAVE_ROW = (
    _ROW
    + """
return save_row(KEYS[1], KEYS[2], unpack(ARGV))
"""
)

# Persist, then publish: a server writes its file before it sends anything, replies and messages alike.
_SHOW = (
    _VIEWS
    + _ROW
    + """
local game, version, channel, word, count = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local written = save_views(version, count, 6)
local at = 6 + 2 * count
for i = count + 2, #KEYS, 2 do
  save_row(KEYS[i], KEYS[i + 1], game, ARGV[at], ARGV[at + 1], ARGV[at + 2])
  at = at + 3
end
redis.call('PUBLISH', channel, word)
return written
"""
)

_SWAP_SLIP = """
local found = redis.call('GET', KEYS[1])
if ARGV[1] == '0' then
  if found then return 0 end
elseif found ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1
"""

# The archivist's: no other user may delete what this deletes.
_ARCHIVE = (
    _HEAD
    + """
local gone, cmd, log, wakes, attempts, games, key, names = unpack(KEYS)
local version, link = head(log)
if version == 0 then return 0 end
redis.call('HSET', gone, 'version', version, 'link', link)
redis.call('DEL', log, cmd, key, names)
redis.call('ZREM', wakes, ARGV[1])
redis.call('HDEL', attempts, ARGV[1])
redis.call('SREM', games, ARGV[1])
return 1
"""
)


class Script:
    """A script, called by its digest; sent whole when the server has forgotten it (it does at every restart)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.digest = hashlib.sha1(source.encode()).hexdigest()

    def run(self, client: redis.Redis, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
        try:
            return send(client, "EVALSHA", self.digest, len(keys), *keys, *args)
        except NoScriptError:
            return send(client, "EVAL", self.source, len(keys), *keys, *args)

    def run_and_wait(
        self, client: redis.Redis, keys: Sequence[str], args: Sequence[str | bytes | int], replicas: int, wait_ms: int
    ) -> tuple[Any, int]:
        """(answer, how many replicas have it), both over one connection."""
        for how in (("EVALSHA", self.digest), ("EVAL", self.source)):
            answer, reached = send_all(client, [(*how, len(keys), *keys, *args), ("WAIT", replicas, wait_ms)])
            if not isinstance(answer, NoScriptError):
                break
        for reply in (answer, reached):
            if isinstance(reply, Exception):
                raise reply
        return answer, int(reached)


APPEND = Script(_APPEND)
SETTLE = Script(_SETTLE)
POSTPONE = Script(_POSTPONE)
SAVE_VIEWS = Script(_SAVE_VIEWS)
SAVE_ROW = Script(_SAVE_ROW)
SHOW = Script(_SHOW)
SWAP_SLIP = Script(_SWAP_SLIP)
ARCHIVE = Script(_ARCHIVE)

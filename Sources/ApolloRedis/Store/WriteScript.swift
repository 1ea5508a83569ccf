/// The script that a server runs for each write: it checks that nothing that the write builds on
/// has changed, and makes all cells of one partition visible at once.
///
/// | argument | meaning |
/// | :-- | :-- |
/// | `KEYS[1]` | the state of the partition |
/// | `KEYS[2]`… | *n* cells, then *m* shapes, then the indices of the roots whose fields are written, then the indices of *w* roots that were read whole |
/// | `ARGV[1]`, `ARGV[2]` | *n* and *m* |
/// | `ARGV[3]` | the epoch that the writer has seen, or an empty text |
/// | `ARGV[4]` | a new epoch, which empties the partition, or an empty text |
/// | `ARGV[5]`–`ARGV[7]` | the channel, and the message around the new state |
/// | `ARGV[8]`, `ARGV[9]` | *w*, and the version that the writer has seen |
/// | for each cell | the token that the writer has read, or `*`; the new value, `=` to keep it, or an empty text to remove it; its lifetime in milliseconds, `=` to keep that of the cell, or an empty text; for a field of a root, the number of the index, a colon and the field, otherwise an empty text |
/// | for each shape | its fields, or an empty text if the writer expects the server to have it |
/// | for each root that was read whole | the beginning of the keys of its fields |
///
/// All cells of a root that was read whole are among the *n* cells. If the index has another field,
/// the root has got it since. If the index was lost in part, the version must be the same.
///
/// An index is a set of fields. With the empty text, it has all of them. When a field with a
/// lifetime is added, two others are looked for, and removed if they have expired. So the index of
/// a scope in use stays in proportion to its fields. Indices, shapes and the state do not expire.
///
/// A server does not undo what a script has done before an error. So the commands that it may
/// refuse come first: one that writes, if it is full or a replica, and the one that sends the
/// message, which needs a right to the channel. The others see nothing of it before the end of the
/// script.
///
/// The result is `ok` with the new version, `epoch`, `conflict`, or `shapes` with the positions of
/// those that the server lacks.
enum WriteScript {
  static let text = """
    local n, m, w = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[8])
    local function add(index, field)
      local added = redis.pcall('SADD', index, field)
      if type(added) == 'number' then return added end
      redis.call('DEL', index)
      return redis.call('SADD', index, field)
    end
    local state = redis.pcall('GET', KEYS[1])
    local epoch, version = '', 0
    if type(state) == 'string' then
      local e, v, e2, v2 = string.match(state, '^(%x+):(%d+)|(%x+):(%d+)$')
      if e and e == e2 and v == v2 and tonumber(v) < \(Meta.firstUncountable) then
        epoch, version = e, tonumber(v)
      end
    end
    if epoch ~= ARGV[3] then return {'epoch'} end
    for i = 1, n do
      local expected = ARGV[6 + 4 * i]
      if expected ~= '*' then
        local found = redis.pcall('GETRANGE', KEYS[1 + i], 0, 7)
        if type(found) ~= 'string' then found = '' end
        if found ~= expected then return {'conflict'} end
      end
    end
    if w > 0 then
      local cells = {}
      for i = 1, n do cells[KEYS[1 + i]] = true end
      for k = 1, w do
        local prefix, isComplete = ARGV[9 + 4 * n + m + k], false
        for _, field in ipairs(redis.pcall('SMEMBERS', KEYS[#KEYS - w + k])) do
          if field == '' then
            isComplete = true
          elseif not cells[prefix .. field] then
            return {'conflict'}
          end
        end
        if not isComplete and version ~= tonumber(ARGV[9]) then return {'conflict'} end
      end
    end
    local missing = {'shapes'}
    for j = 1, m do
      if ARGV[9 + 4 * n + j] == '' and redis.call('EXISTS', KEYS[1 + n + j]) == 0 then
        missing[#missing + 1] = tostring(j)
      end
    end
    if #missing > 1 then return missing end
    if ARGV[4] ~= '' then epoch = ARGV[4] end
    local text = epoch .. ':' .. string.format('%.0f', version + 1)
    local before = state
    state = text .. '|' .. text
    redis.call('SET', KEYS[1], state)
    local sent = redis.pcall('PUBLISH', ARGV[5], ARGV[6] .. state .. ARGV[7])
    if type(sent) ~= 'number' then
      if type(before) == 'string' then
        redis.call('SET', KEYS[1], before)
      else
        redis.call('DEL', KEYS[1])
      end
      return sent
    end
    if ARGV[4] ~= '' then
      for k = 2 + n + m, #KEYS - w do add(KEYS[k], '') end
    end
    for j = 1, m do
      local fields = ARGV[9 + 4 * n + j]
      if fields ~= '' then redis.call('SET', KEYS[1 + n + j], fields) end
    end
    for i = 1, n do
      local value, lifetime = ARGV[7 + 4 * i], ARGV[8 + 4 * i]
      local number, field = string.match(ARGV[9 + 4 * i], '^(%d+):(.*)$')
      local index = number and KEYS[1 + n + m + tonumber(number)]
      if value == '' then
        redis.call('DEL', KEYS[1 + i])
        if index then redis.pcall('SREM', index, field) end
      elseif value ~= '=' then
        if lifetime == '=' then
          local rest = redis.call('PTTL', KEYS[1 + i])
          lifetime = rest >= 0 and string.format('%.0f', math.max(rest, 1)) or ''
        end
        if lifetime == '' then
          redis.call('SET', KEYS[1 + i], value)
        else
          redis.call('SET', KEYS[1 + i], value, 'PX', lifetime)
        end
        if index and add(index, field) == 1 and lifetime ~= '' then
          local prefix = string.sub(KEYS[1 + i], 1, -1 - #field)
          for _, other in ipairs(redis.call('SRANDMEMBER', index, 2)) do
            if other ~= '' and redis.call('EXISTS', prefix .. other) == 0 then
              redis.call('SREM', index, other)
            end
          end
        end
      end
    end
    return {'ok', state}
    """

  /// The result of the script.
  enum Outcome: Hashable {
    case committed(Meta)
    case wrongEpoch
    case conflict
    /// The positions of shapes, from 1 on.
    case lacksShapes([Int])

    /// Reads the result of a write of so many shapes. `nil` if it is not one.
    init?(_ value: RedisValue, shapeCount: Int) {
      guard let elements = value.elements else { return nil }
      switch elements.first?.text {
      case "ok":
        guard elements.count == 2, let state = elements[1].bytes else { return nil }
        self = .committed(Meta(state))
      case "epoch": self = .wrongEpoch
      case "conflict": self = .conflict
      case "shapes":
        let positions = elements.dropFirst().compactMap { $0.text.flatMap { Int($0) } }
        guard positions.allSatisfy({ $0 >= 1 && $0 <= shapeCount }) else { return nil }
        self = .lacksShapes(positions)
      default: return nil
      }
    }
  }
}

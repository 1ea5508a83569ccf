internal import CHiredis

/// A value of Redis' protocol.
enum RedisValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case bytes([UInt8])
  case array([RedisValue])
  /// An error, such as `MOVED 3999 127.0.0.1:6381`.
  case error(String)

  /// Copies what hiredis has parsed.
  ///
  /// - Returns: The value, or `nil` for a type that is unknown.
  init?(_ reply: UnsafePointer<redisReply>) {
    let value = reply.pointee
    switch value.type {
    case REDIS_REPLY_NIL: self = .null
    case REDIS_REPLY_INTEGER: self = .integer(value.integer)
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .bytes(Self.bytes(of: value))
    case REDIS_REPLY_ERROR: self = .error(String(decoding: Self.bytes(of: value), as: UTF8.self))
    case REDIS_REPLY_ARRAY:
      var elements: [RedisValue] = []
      elements.reserveCapacity(value.elements)
      for index in 0..<value.elements {
        guard let element = value.element[index], let copy = RedisValue(element) else { return nil }
        elements.append(copy)
      }
      self = .array(elements)
    default: return nil
    }
  }

  private static func bytes(of value: redisReply) -> [UInt8] {
    guard let start = value.str, value.len > 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: value.len))
  }

  /// The bytes, or `nil` for any other value.
  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  /// The bytes as text, or `nil` for any other value.
  var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// The elements, or `nil` for any other value.
  var elements: [RedisValue]? { if case .array(let elements) = self { elements } else { nil } }
}

/// A command with its arguments.
struct RedisCommand: Sendable {
  var arguments: [[UInt8]]

  init(_ words: String...) { arguments = words.map { Array($0.utf8) } }

  init(_ name: String, _ rest: [[UInt8]]) { arguments = [Array(name.utf8)] + rest }
}

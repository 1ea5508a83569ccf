import GraphQLSchema

/// A JSON value that keeps the order of members.
enum JSONNode: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONNode])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: JSONNode
  }

  /// Returns the member of an object with a key, or `nil` if there is none.
  func member(_ key: String) -> JSONNode? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The kind of value as in messages, such as `a string`.
  var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONNode {
  /// A mistake in a JSON text, and its place.
  struct SyntaxError: Error {
    var line: Int
    var column: Int
    /// The sentence about the mistake.
    var message: String
  }

  /// The greatest depth that is read. No valid input of this tool is nested deeper.
  private static let maximumDepth = 64

  /// A mistake, and the offset of its first byte.
  fileprivate struct Mistake: Error {
    var message: String
    var offset: Int
  }

  /// Reads a JSON text.
  ///
  /// The text may start with a byte order mark and have trailing commas, since Foundation accepts
  /// both and existing files have them. A key must not occur twice.
  ///
  /// - Throws: ``SyntaxError`` with the place of the first mistake.
  static func read(_ bytes: [UInt8]) throws(SyntaxError) -> JSONNode {
    let text: IndexedJSON
    do throws(IndexedJSON.Failure) {
      text = try IndexedJSON(blankingTrailingCommas(in: bytes))
    } catch {
      throw SyntaxError(Mistake(message: error.message, offset: error.offset), in: bytes)
    }
    do throws(Mistake) {
      return try node(text.root, depth: 0)
    } catch {
      throw SyntaxError(error, in: bytes)
    }
  }

  private static func node(_ value: JSONValue, depth: Int) throws(Mistake) -> JSONNode {
    guard depth < maximumDepth else {
      throw Mistake(message: "The JSON is nested too deeply.", offset: value.offset)
    }
    switch value.kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return .number(String(decoding: value.source, as: UTF8.self))
    case .string: return .string(value.string ?? "")
    case .array:
      var items: [JSONNode] = []
      for item in value.items ?? [] { items.append(try node(item, depth: depth + 1)) }
      return .array(items)
    case .object: return .object(try members(of: value, depth: depth))
    }
  }

  private static func members(of value: JSONValue, depth: Int) throws(Mistake) -> [Member] {
    var members: [Member] = []
    var keys: Set<String> = []
    for (key, value) in value.members ?? [] {
      let name = key.string ?? ""
      guard keys.insert(name).inserted else {
        throw Mistake(
          message: "The key '\(name)' is there twice. Remove one.", offset: key.offset)
      }
      members.append(Member(key: name, value: try node(value, depth: depth + 1)))
    }
    return members
  }
}

extension JSONNode {
  /// Returns the text with each trailing comma replaced by a space, so that every other byte keeps
  /// its place.
  static func blankingTrailingCommas(in bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var isInString = false
    var isEscaped = false
    var last: UInt8?
    var comma: Int?
    for (index, byte) in bytes.enumerated() {
      if isInString {
        if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        continue
      }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
      case UInt8(ascii: ","):
        let isBehindValue = last.map { !"{[,:".utf8.contains($0) } ?? false
        comma = isBehindValue ? index : nil
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let comma { result[comma] = UInt8(ascii: " ") }
        comma = nil
      default:
        isInString = byte == UInt8(ascii: "\"")
        comma = nil
      }
      last = byte
    }
    return result
  }
}

extension JSONNode.SyntaxError {
  fileprivate init(_ mistake: JSONNode.Mistake, in bytes: [UInt8]) {
    let before = bytes[..<min(mistake.offset, bytes.count)]
    let lineStart = before.lastIndex(of: 0xA).map { $0 + 1 } ?? 0
    line = before.count { $0 == 0xA } + 1
    column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    message = mistake.message
  }
}

import GraphQLSchema

/// JSON as it was written, with the order of members kept.
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

  /// Such as `a string`, for messages.
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
  /// Why a text is not JSON that we read, and where.
  struct SyntaxError: Error {
    var line: Int
    var column: Int
    /// A sentence.
    var message: String
  }

  /// What is nested deeper is nothing that this tool reads.
  private static let maximumDepth = 64

  /// What is wrong, and at which byte.
  fileprivate struct Mistake: Error {
    var message: String
    var offset: Int
  }

  /// Reads a text, which may start with a byte order mark and have commas behind last items, since
  /// Foundation reads these and files have them. No key may be there twice.
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
  /// The text with a space for each comma that stands between a value and a closing bracket, so that
  /// every byte keeps its place.
  private static func blankingTrailingCommas(in bytes: [UInt8]) -> [UInt8] {
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

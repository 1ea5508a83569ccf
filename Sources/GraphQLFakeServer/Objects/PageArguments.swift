import enum ApolloAPI.JSONValue

/// The arguments of a field that request a part of a list.
///
/// Spec: Relay, "Cursor Connections Specification", `first`, `after`, `last`, `before`; and the
/// names that schemas without connections use.
struct PageArguments {
  /// The names of arguments that page through a list, in lower case.
  static let names: Set<String> = Set(numbers + cursors)
  private static let numbers = counts + offsets + pages + ["last"]
  private static let cursors = ["after", "before", "cursor"]
  private static let counts = [
    "first", "limit", "take", "count", "size", "pagesize", "page_size", "perpage", "per_page",
    "maxresults", "top",
  ]
  private static let offsets = ["offset", "skip", "start", "from"]
  private static let pages = ["page", "pagenumber", "page_number"]

  private let values: [String: JSONValue]

  /// - Parameter arguments: The arguments with those in input objects, by name.
  init(_ arguments: [String: JSONValue]) {
    values = Dictionary(
      arguments.filter { !$0.value.isNull }.map { ($0.key.lowercased(), $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  private func number(_ names: [String]) -> (name: String, value: Int)? {
    for name in names {
      if let value = values[name]?.intValue { return (name, value) }
    }
    return nil
  }

  /// Returns the requested part of a list.
  ///
  /// - Parameters:
  ///   - objects: The objects of the list.
  ///   - standardCount: The length of a part if none is requested; `nil` for all objects.
  ///   - isConnection: `true` if cursors are the server's. In other lists, `after` and `before` can
  ///     be dates or keys, which do not page.
  /// - Returns: The indices of the part.
  /// - Throws: ``FieldError`` if a number is negative or a cursor is not one of the server's.
  func range(
    of objects: ObjectList, standardCount: Int?, isConnection: Bool
  ) throws(FieldError) -> Range<Int> {
    func position(_ cursor: JSONValue, _ name: String) throws(FieldError) -> Int? {
      isConnection ? try Self.position(cursor, name) : try? Self.position(cursor, name)
    }
    let count = objects.count
    var (start, end) = (0, count)
    if let after = values["after"] ?? values["cursor"],
      let position = try position(after, "after")
    {
      start = objects.index(from: position + 1)
    }
    if let before = values["before"], let position = try position(before, "before") {
      end = max(start, objects.index(from: position))
    }
    var size: Int?
    if let limit = number(Self.counts) { size = try Self.positive(limit) }
    if let offset = number(Self.offsets) {
      start = min(start + min(try Self.positive(offset), count), end)
    }
    if let page = number(Self.pages), let size = size ?? standardCount {
      // Pages count from 1, and many servers take 0 for the first one.
      let (skipped, isTooLarge) = (max(1, page.value) - 1).multipliedReportingOverflow(by: size)
      start = isTooLarge ? end : min(start + min(skipped, count), end)
    }
    if let size { end = min(end, start + min(size, count)) }
    if let last = number(["last"]) {
      start = max(start, end - min(try Self.positive(last), count))
    } else if size == nil, let standardCount {
      end = min(end, start + min(standardCount, count))
    }
    return start..<end
  }

  /// Returns arguments without those that choose a part of a list, in input objects too: all parts
  /// of a list are made from the rest.
  static func removing(from arguments: [String: JSONValue]) -> [String: JSONValue] {
    var rest: [String: JSONValue] = [:]
    for (name, value) in arguments where !value.isNull {
      let lowercase = name.lowercased()
      if cursors.contains(lowercase) || numbers.contains(lowercase) && value.intValue != nil {
        continue
      }
      if let members = value.objectValue {
        let left = removing(from: members)
        if !left.isEmpty { rest[name] = .object(left) }
      } else {
        rest[name] = value
      }
    }
    return rest
  }

  private static func positive(_ argument: (name: String, value: Int)) throws(FieldError) -> Int {
    guard argument.value >= 0 else {
      throw FieldError(
        "'\(argument.name)' is \(argument.value). Give a number that is not negative.")
    }
    return argument.value
  }

  // MARK: Cursors

  private static let prefix = "cursor-"

  /// The cursor of the object at a position, as a text.
  static func cursor(_ position: Int) -> String { "\(prefix)\(position)" }

  private static func position(_ cursor: JSONValue, _ name: String) throws(FieldError) -> Int {
    if let position = cursor.intValue, position >= 0 { return min(position, 1 << 31) }
    if case .string(let text) = cursor {
      let digits = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
      if let position = Int(digits), position >= 0 { return min(position, 1 << 31) }
    }
    throw FieldError(
      "'\(name)' is \(cursor), which is no cursor of this server. Take one from a response.")
  }
}

/// The failure of a field, with its sentence.
struct FieldError: Error {
  let message: String
  let extensions: [String: JSONValue]

  init(_ message: String, extensions: [String: JSONValue] = [:]) {
    self.message = message
    self.extensions = extensions
  }
}

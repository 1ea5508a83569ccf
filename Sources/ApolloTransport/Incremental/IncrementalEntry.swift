/// An entry of `pending`, `incremental` or `completed`, as ranges of the bytes.
struct IncrementalEntry {
  var id: Range<Int>?
  var path: Range<Int>?
  var subPath: Range<Int>?
  var data: Range<Int>?
  var items: Range<Int>?
  /// The positions of the elements of `items` in ``IncrementalEntries``, if they were read together
  /// with the entry.
  var elements: Range<Int>?
  var errors: Range<Int>?
  var extensions: Range<Int>?

  /// `true` if there is nothing but the id and the items.
  var hasItemsAlone: Bool {
    id != nil && items != nil && path == nil && subPath == nil && data == nil && errors == nil
      && extensions == nil
  }
}

/// The entries of the `incremental` list of one part, and the elements of their items.
///
/// One value serves all parts, so that reading a part allocates nothing.
struct IncrementalEntries {
  var entries: [IncrementalEntry] = []
  var elements: [Range<Int>] = []

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }
}

/// A member of a part or an entry that has a meaning.
enum IncrementalMember {
  case completed, data, errors, extensions, hasNext, id, incremental, items, path, pending, subPath

  /// The member with a key in quotation marks, or `nil` if it has no meaning.
  init?(_ key: UnsafeBufferPointer<UInt8>) {
    switch key.count {
    case 4 where key.isEqual("\"id\""): self = .id
    case 6 where key.isEqual("\"data\""): self = .data
    case 6 where key.isEqual("\"path\""): self = .path
    case 7 where key.isEqual("\"items\""): self = .items
    case 8 where key.isEqual("\"errors\""): self = .errors
    case 9 where key.isEqual("\"hasNext\""): self = .hasNext
    case 9 where key.isEqual("\"pending\""): self = .pending
    case 9 where key.isEqual("\"subPath\""): self = .subPath
    case 11 where key.isEqual("\"completed\""): self = .completed
    case 12 where key.isEqual("\"extensions\""): self = .extensions
    case 13 where key.isEqual("\"incremental\""): self = .incremental
    default: return nil
    }
  }
}

extension JSONScanner {
  /// The member with a key, or `nil` if it has no meaning.
  func member(_ key: Range<Int>) -> IncrementalMember? {
    IncrementalMember(UnsafeBufferPointer(rebasing: bytes[key]))
  }

  /// Reads values with commas between them up to the end of the bytes, and appends their ranges.
  /// Returns `false` if the bytes are anything else.
  mutating func readElements(upToEnd elements: inout [Range<Int>]) -> Bool {
    do {
      while true {
        elements.append(try skipValue())
        skipWhitespace()
        if position == end { return true }
        guard consume(UInt8(ascii: ",")) else { return false }
      }
    } catch {
      return false
    }
  }

  /// Reads an entry, which comes next. Members that are null count as missing, except the data and
  /// the items.
  mutating func readEntry() throws(ResponseStreamError) -> IncrementalEntry {
    var elements: [Range<Int>]?
    return try readEntry(&elements)
  }

  /// Reads the entries of a list, which comes next, and the elements of their items in one pass.
  ///
  /// Returns `false`, and leaves the scanner where it was, if any of them is malformed: the entries
  /// before that one take effect, so they must be read one by one.
  mutating func readEntries(into result: inout IncrementalEntries) -> Bool {
    let start = position
    result.removeAll()
    var elements: [Range<Int>]? = result.elements
    result.elements = []
    defer { result.elements = elements ?? [] }
    do {
      try readElements { scanner throws(ResponseStreamError) in
        result.entries.append(try scanner.readEntry(&elements))
      }
      return true
    } catch {
      position = start
      return false
    }
  }

  /// Reads an entry, and the elements of its items if there is a place for them.
  private mutating func readEntry(
    _ elements: inout [Range<Int>]?
  ) throws(ResponseStreamError) -> IncrementalEntry {
    var entry = IncrementalEntry()
    try readMembers { key, scanner throws(ResponseStreamError) in
      let member = scanner.member(key)
      if let first = elements?.count, scanner.kind == .list, member == .items {
        let start = scanner.position
        try scanner.readElements { scanner throws(ResponseStreamError) in
          elements?.append(try scanner.skipValue())
        }
        entry.items = start..<scanner.position
        entry.elements = first..<(elements?.count ?? first)
        return
      }
      let isNull = scanner.kind == .null
      let value = try scanner.skipValue()
      switch member {
      case .data: entry.data = value
      case .items:
        entry.items = value
        entry.elements = nil
      case _ where isNull: break
      case .id: entry.id = value
      case .path: entry.path = value
      case .subPath: entry.subPath = value
      case .errors: entry.errors = value
      case .extensions: entry.extensions = value
      default: break
      }
    }
    return entry
  }
}

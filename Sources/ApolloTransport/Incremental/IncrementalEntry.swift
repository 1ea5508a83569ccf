/// An entry of `pending`, `incremental` or `completed`, as ranges of the bytes.
struct IncrementalEntry {
  var id: Range<Int>?
  var path: Range<Int>?
  var subPath: Range<Int>?
  var data: Range<Int>?
  var items: Range<Int>?
  /// The elements of `items`, if they were read together with the entry.
  var elements: [Range<Int>]?
  var errors: Range<Int>?
  var extensions: Range<Int>?
}

extension JSONTree {
  /// Reads an entry. Members that are null count as missing, except the data and the items.
  func readEntry(_ range: Range<Int>) throws(ResponseStreamError) -> IncrementalEntry {
    try scan(range) { scanner throws(ResponseStreamError) in try readEntry(&scanner) }
  }

  /// Reads the entries of a list, which comes next, and the elements of their items in one pass.
  ///
  /// Returns `nil`, and leaves the scanner where it was, if any of them is malformed: the entries
  /// before that one take effect, so they must be read one by one.
  func readEntries(_ scanner: inout JSONScanner) -> [IncrementalEntry]? {
    var entries: [IncrementalEntry] = []
    var ahead = scanner
    do {
      try ahead.readElements { ahead throws(ResponseStreamError) in
        entries.append(try readEntry(&ahead, withElements: true))
      }
    } catch {
      return nil
    }
    scanner = ahead
    return entries
  }

  private func readEntry(
    _ scanner: inout JSONScanner, withElements: Bool = false
  ) throws(ResponseStreamError) -> IncrementalEntry {
    var entry = IncrementalEntry()
    try scanner.readMembers { key, scanner throws(ResponseStreamError) in
      if withElements, scanner.kind == .list, isEqual(key, "\"items\"") {
        let start = scanner.position
        var elements: [Range<Int>] = []
        try scanner.readElements { scanner throws(ResponseStreamError) in
          elements.append(try scanner.skipValue())
        }
        entry.items = start..<scanner.position
        entry.elements = elements
        return
      }
      let value = try scanner.skipValue()
      if isEqual(key, "\"data\"") { return entry.data = value }
      if isEqual(key, "\"items\"") {
        entry.items = value
        entry.elements = nil
        return
      }
      if kind(of: value) == .null { return }
      if isEqual(key, "\"id\"") { return entry.id = value }
      if isEqual(key, "\"path\"") { return entry.path = value }
      if isEqual(key, "\"subPath\"") { return entry.subPath = value }
      if isEqual(key, "\"errors\"") { return entry.errors = value }
      if isEqual(key, "\"extensions\"") { entry.extensions = value }
    }
    return entry
  }
}

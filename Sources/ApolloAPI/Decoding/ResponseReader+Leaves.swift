// Lists of leaves, and scalars that are decoded from JSON values.

extension ResponseReader {
  /// A list of strings.
  @inline(never)
  mutating func readStrings(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    guard field.pointee.hasNonNullElements else { return try readOtherLeaf(field, into: slot) }
    var isWhole = true
    try readLeafElements { reader, index throws(ReadFailure) in
      if reader.json.next == UInt8(ascii: "\"") {
        reader.strings.push(try reader.json.readString())
      } else {
        let offset = reader.json.offset
        guard reader.json.consumeNull() else { throw reader.json.wrongType(expected: "a string") }
        reader.addViolation(at: offset, [.field(field.pointee.responseKey), .index(index)])
        isWhole = false
      }
    }
    guard isWhole else {
      releaseStrings()
      return nullify(field, slot)
    }
    slot.initializeSlot(as: [String]??.self, to: takeStrings())
  }

  /// Moves strings into a list of exactly their number.
  @inline(__always)
  private mutating func takeStrings() -> [String] {
    let owned = strings.elements(from: 0)
    var list: [String] = []
    list.reserveCapacity(owned.count)
    for index in owned.indices { list.append((owned.baseAddress! + index).move()) }  // not empty
    strings.pop(to: 0)
    return list
  }

  /// Releases the strings that are not in a list yet.
  mutating func releaseStrings() {
    _ = strings.elements(from: 0).deinitialize()
    strings.pop(to: 0)
  }

  /// Reads a list and calls `read` at the start of each element.
  @inline(__always)
  private mutating func readLeafElements(
    _ read: (inout ResponseReader, Int) throws(ReadFailure) -> Void
  ) throws(ReadFailure) {
    guard json.next == UInt8(ascii: "[") else { throw json.wrongType(expected: "a list") }
    try json.open()
    if json.next == UInt8(ascii: "]") { return json.close() }
    var index = 0
    repeat {
      do {
        try read(&self, index)
      } catch {
        throw error.adding(.index(index))
      }
      index &+= 1
    } while try json.continues(until: UInt8(ascii: "]"))
  }

  // MARK: - By way of JSON values

  @inline(never)
  mutating func readOtherLeaf(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let type = field.pointee.type
    guard type.rank > 0 || type.isStrict else {
      return try readLeaf(field, into: slot)
    }
    let value = try readLeafTree(type, [.field(field.pointee.responseKey)])
    // Also null when a null element propagated to a nullable list.
    guard let value, !value.isNull else { return nullify(field, slot) }
    try initializeLeaf(slot, field, value, at: json)
  }

  /// A scalar of any kind.
  @inline(never)
  mutating func readLeaf(
    _ field: UnsafePointer<FieldLayout>, into slot: UnsafeMutableRawPointer
  ) throws(ReadFailure) {
    let start = json
    let value = try json.readValue()
    try initializeLeaf(slot, field, value, at: start)
  }

  private mutating func initializeLeaf(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>, _ value: JSONValue,
    at position: JSONReader
  ) throws(ReadFailure) {
    do {
      try field.pointee.slotType.decode(value, into: slot)
    } catch {
      throw position.failure(.invalidScalar(String(describing: error)))
    }
  }

  /// Reads lists of leaves and checks nulls and kinds. Returns `nil` when a null propagates beyond
  /// the value.
  ///
  /// The recursion follows the lists of the type, never those of the response. The path contains
  /// the field and the indices in the lists around the value.
  private mutating func readLeafTree(
    _ type: FieldType, _ path: [PathEntry]
  ) throws(ReadFailure) -> JSONValue? {
    let depth = path.count - 1
    let offset = json.offset
    if json.consumeNull() {
      guard type.isNonNull(at: depth) else { return .null }
      addViolation(at: offset, path)
      return nil
    }
    if depth == type.rank { return try readBase(type.base) }
    var elements: [JSONValue] = []
    var isWhole = true
    try readLeafElements { reader, index throws(ReadFailure) in
      if let element = try reader.readLeafTree(type, path + [.index(index)]) {
        elements.append(element)
      } else {
        isWhole = false
      }
    }
    if isWhole { return .array(elements) }
    return type.isNonNull(at: depth) ? nil : .null
  }

  private mutating func readBase(_ base: FieldType.Base) throws(ReadFailure) -> JSONValue {
    switch base {
    case .string:
      guard json.next == UInt8(ascii: "\"") else { throw json.wrongType(expected: "a string") }
      return .string(try json.readString())
    case .id: return .string(try json.readID())
    case .int: return .int(Int64(try json.readInt()))
    case .double: return .double(try json.readDouble())
    case .bool:
      guard let value = json.consumeBool() else { throw json.wrongType(expected: "a Boolean") }
      return .bool(value)
    case .leaf(let type):
      let start = json
      let value = try json.readValue()
      do {
        _ = try type.init(_jsonValue: value)
      } catch {
        throw start.failure(.invalidScalar(String(describing: error)))
      }
      return value
    case .object: throw json.wrongType(expected: "a value")
    }
  }
}

extension FieldType {
  /// `true` if the reader checks the base itself before the scalar receives it.
  fileprivate var isStrict: Bool {
    if case .leaf = base { false } else { true }
  }
}

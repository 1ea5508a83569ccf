/// Reads the lists of leaves of one field straight from the bytes into arrays of their type.
///
/// It is put together when the layout of the object is made, from the inside outwards: a function
/// that reads the base, then one for each list around it. So the type of the array is known at each
/// step, and reading looks up no types.
///
/// - Complexity: O(*n*) in the bytes of the list. An array takes one allocation if its end is near,
///   otherwise O(log *n*).
final class LeafListReader: Sendable {
  /// Reads a list into a slot. Returns `false`, and leaves the slot alone, when a null propagates
  /// to the list.
  typealias ReadSlot =
    @Sendable (
      inout JSONReader, inout LeafNulls, UnsafeMutableRawPointer
    ) throws(ReadFailure) -> Bool

  let read: ReadSlot

  /// Creates the reader of a type, or returns `nil` if it is not a list of leaves.
  init?(_ type: FieldType) {
    guard type.rank > 0 else { return nil }
    switch type.base {
    case .string: read = type.lists { json, _ throws(ReadFailure) in try json.readRequiredString() }
    case .id: read = type.lists { json, _ throws(ReadFailure) in try json.readID() }
    case .int: read = type.lists { json, _ throws(ReadFailure) in try json.readInt() }
    case .double:
      read = type.lists { json, nulls throws(ReadFailure) in try json.readDouble(&nulls) }
    case .bool: read = type.lists { json, _ throws(ReadFailure) in try json.readRequiredBool() }
    // Aliases of built-in scalars are read like a single one of them.
    case .leaf(let leaf) where leaf == String.self:
      read = type.lists { json, nulls throws(ReadFailure) in
        if json.next != UInt8(ascii: "\"") { nulls.hasOtherForms = true }
        return try json.readText()
      }
    case .leaf(let leaf) where leaf == Int.self:
      read = type.lists { json, _ throws(ReadFailure) in try json.readInt() }
    case .leaf(let leaf) where leaf == Double.self:
      read = type.lists { json, nulls throws(ReadFailure) in try json.readDouble(&nulls) }
    case .leaf(let leaf) where leaf == Bool.self:
      read = type.lists { json, _ throws(ReadFailure) in try json.readRequiredBool() }
    case .leaf(let leaf): read = type.lists(of: leaf)
    case .object: return nil
    }
  }
}

/// The findings in a list of leaves: the nulls where the schema rules them out, and elements
/// that their type writes in another form.
struct LeafNulls {
  /// Indicates whether the type of an element writes it in another form than the server.
  var hasOtherForms = false

  struct Null {
    let byteOffset: Int
    /// The indices in the lists around it, innermost first.
    var reversedIndices: [Int] = []
  }

  private(set) var nulls: [Null] = []

  var isEmpty: Bool {
    @inline(__always) get { nulls.isEmpty }
  }

  /// Consumes a null and adds it. Returns `false` if something else comes next.
  @inline(__always)
  fileprivate mutating func take(_ json: inout JSONReader) -> Bool {
    json.next == UInt8(ascii: "n") && consume(&json)
  }

  @inline(never)
  private mutating func consume(_ json: inout JSONReader) -> Bool {
    let offset = json.offset
    guard json.consumeNull() else { return false }
    nulls.append(Null(byteOffset: offset))
    return true
  }

  /// Adds the index of an element to the nulls in it.
  @inline(never)
  fileprivate mutating func add(_ index: Int, toNullsFrom first: Int) {
    for null in first..<nulls.count { nulls[null].reversedIndices.append(index) }
  }
}

/// The elements of a list of known values of an enum, as slots: trivial bits, which are copied
/// without looking up types for each of them.
private struct KnownCases: ~Copyable {
  var slots = ScratchStack<Slot>()

  func list<Leaf: LeafValue>(of _: Leaf.Type) -> [Leaf] {
    let slots = slots.elements(from: 0)
    return [Leaf](unsafeUninitializedCapacity: slots.count) { list, count in
      guard var place = UnsafeMutableRawPointer(list.baseAddress) else { return }
      for slot in slots {
        // The value is at the beginning of its slot.
        withUnsafePointer(to: slot) {
          place.copyMemory(from: $0, byteCount: MemoryLayout<Leaf>.size)
        }
        place += MemoryLayout<Leaf>.stride
      }
      count = slots.count
    }
  }
}

// MARK: - From the inside outwards

extension FieldType {
  /// Reads a value. Returns `nil` when a null propagates to it.
  fileprivate typealias Read<Value> =
    @Sendable (
      inout JSONReader, inout LeafNulls
    ) throws(ReadFailure) -> Value?

  /// Returns the reader of lists of a base that `read` reads.
  ///
  /// Inlined, so that the innermost lists are compiled for the type of the base.
  @inline(__always)
  fileprivate func lists<Base: LeafElement & SlotValue>(
    of read:
      @escaping @Sendable (inout JSONReader, inout LeafNulls) throws(ReadFailure) -> Base
  ) -> LeafListReader.ReadSlot {
    if isNonNull(at: rank) {
      return slot(depth: rank - 1) { json, nulls throws(ReadFailure) in
        try json.readLeaves(&nulls) { json, nulls throws(ReadFailure) in
          nulls.take(&json) ? nil : try read(&json, &nulls)
        }
      }
    }
    return slot(depth: rank - 1) { json, nulls throws(ReadFailure) in
      try json.readLeaves(&nulls) { json, nulls throws(ReadFailure) -> Base?? in
        json.consumeNull() ? .some(nil) : .some(try read(&json, &nulls))
      }
    }
  }

  /// Returns the reader of lists of a custom scalar or an enum.
  fileprivate func lists<Leaf: LeafValue>(of _: Leaf.Type) -> LeafListReader.ReadSlot {
    // A table is never freed, so it is made last.
    guard isNonNull(at: rank), MemoryLayout<Leaf??>.size < MemoryLayout<Slot>.size,
      let cases = (Leaf.self as? any EnumLeaf.Type)?.makeCases()
    else {
      return lists { json, nulls throws(ReadFailure) in try json.readLeaf(Leaf.self, &nulls) }
    }
    return slot(depth: rank - 1) { json, nulls throws(ReadFailure) -> [Leaf]? in
      if let known = try json.readKnownCases(of: cases) { return known.list(of: Leaf.self) }
      return try json.readLeaves(&nulls) { json, nulls throws(ReadFailure) in
        nulls.take(&json) ? nil : try json.readLeaf(Leaf.self, &nulls)
      }
    }
  }

  /// Returns the reader of a list that is `depth` lists deep with the lists around it, and the slot
  /// around those.
  private func slot<Value: LeafElement & SlotValue>(
    depth: Int, _ read: @escaping Read<Value>
  ) -> LeafListReader.ReadSlot {
    if depth == 0 {
      return { json, nulls, slot throws(ReadFailure) in
        guard let value = try read(&json, &nulls) else { return false }
        slot.initializeSlot(as: Value??.self, to: value)
        return true
      }
    }
    if isNonNull(at: depth) {
      return slot(depth: depth - 1) { json, nulls throws(ReadFailure) in
        try json.readLeaves(&nulls) { json, nulls throws(ReadFailure) in
          nulls.take(&json) ? nil : try read(&json, &nulls)
        }
      }
    }
    return slot(depth: depth - 1) { json, nulls throws(ReadFailure) in
      try json.readLeaves(&nulls) { json, nulls throws(ReadFailure) -> Value?? in
        // A null that propagates to the list makes the list null.
        json.consumeNull() ? .some(nil) : .some(try read(&json, &nulls))
      }
    }
  }
}

// MARK: - Reading

extension JSONReader {
  /// Reads a list; `read` returns `nil` for an element whose null propagates to the list. Then the
  /// result is `nil`.
  @inline(__always)
  fileprivate mutating func readLeaves<Element>(
    _ nulls: inout LeafNulls,
    _ read: (inout JSONReader, inout LeafNulls) throws(ReadFailure) -> Element?
  ) throws(ReadFailure) -> [Element]? {
    guard next == UInt8(ascii: "[") else { throw wrongType(expected: "a list") }
    try open()
    var list: [Element] = []
    if next == UInt8(ascii: "]") {
      close()
      return list
    }
    list.reserveCapacity(nearElementCount())
    var index = 0
    var isWhole = true
    repeat {
      let nullCount = nulls.nulls.count
      do {
        if let element = try read(&self, &nulls) { list.append(element) } else { isWhole = false }
      } catch {
        throw error.adding(.index(index))
      }
      if nulls.nulls.count > nullCount { nulls.add(index, toNullsFrom: nullCount) }
      index &+= 1
    } while try continues(until: UInt8(ascii: "]"))
    return isWhole ? list : nil
  }

  /// An estimate of the number of elements of the list whose first element comes next: the number
  /// of those that begin in the next 128 bytes.
  @inline(__always)
  private func nearElementCount() -> Int {
    var count = 1
    var isInString = false
    var byte = cursor
    // Zeros follow the last byte of the body.
    while byte < cursor + 128, byte.pointee != 0 {
      switch byte.pointee {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: ",") where !isInString: count &+= 1
      case UInt8(ascii: "]") where !isInString: return count
      default: break
      }
      byte += 1
    }
    return count
  }

  fileprivate mutating func readRequiredString() throws(ReadFailure) -> String {
    guard next == UInt8(ascii: "\"") else { throw wrongType(expected: "a string") }
    return try readString()
  }

  /// Reads a number, and notes that it has more digits than a `Double` may hold.
  @inline(__always)
  fileprivate mutating func readDouble(_ nulls: inout LeafNulls) throws(ReadFailure) -> Double {
    let start = cursor
    let value = try readDouble()
    if cursor - start > 17 { nulls.hasOtherForms = true }
    return value
  }

  fileprivate mutating func readRequiredBool() throws(ReadFailure) -> Bool {
    guard let value = consumeBool() else { throw wrongType(expected: "a Boolean") }
    return value
  }

  /// Reads a list of known values of an enum. Consumes nothing, and returns `nil`, if the list has
  /// another element.
  @inline(never)
  fileprivate mutating func readKnownCases(
    of cases: EnumCaseTable
  ) throws(ReadFailure) -> KnownCases? {
    let start = self
    guard next == UInt8(ascii: "[") else { return nil }
    try open()
    var known = KnownCases()
    if next == UInt8(ascii: "]") {
      close()
      return known
    }
    repeat {
      guard let slot = cases.slot(forNextOf: &self) else {
        self = start
        return nil
      }
      known.slots.push(slot)
    } while try continues(until: UInt8(ascii: "]"))
    return known
  }

  /// Reads a custom scalar, or an enum of any name, by way of a JSON value.
  fileprivate mutating func readLeaf<Leaf: LeafValue>(
    _: Leaf.Type, _ nulls: inout LeafNulls
  ) throws(ReadFailure) -> Leaf {
    let start = self
    let value = try readValue()
    do {
      let leaf = try Leaf(_jsonValue: value)
      if !leaf.isWritten(as: value) { nulls.hasOtherForms = true }
      return leaf
    } catch {
      throw start.failure(.invalidScalar(String(describing: error)))
    }
  }
}

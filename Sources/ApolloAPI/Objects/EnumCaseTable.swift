/// The known values of an enum in the form of slots, by their names.
///
/// `@unchecked Sendable` because the pointers are to memory that is written before the initializer
/// returns and never freed.
final class EnumCaseTable: @unchecked Sendable {
  private struct Case {
    let name: UnsafePointer<UInt8>
    let nameCount: Int
    let slot: Slot
  }

  private let cases: UnsafeBufferPointer<Case>
  private let names: [String]
  /// A table of the names when there are many.
  private let table: ResponseKeyTable?

  /// The greatest number of names that are compared one after the other, in 2 ns each.
  private static let mostCompared = 8

  /// Creates a table of names and slots, none of which must require a release.
  init(_ values: [(name: String, slot: Slot)]) {
    let cases = UnsafeMutableBufferPointer<Case>.allocate(capacity: values.count)
    _ = cases.initialize(
      from: values.map { value in
        let quoted = Array("\"\(value.name)\"".utf8)
        return Case(name: allocateForever(quoted), nameCount: quoted.count, slot: value.slot)
      })
    self.cases = UnsafeBufferPointer(cases)
    names = values.map(\.name)
    table = names.count > Self.mostCompared ? ResponseKeyTable(names) : nil
  }

  /// Returns the slot for a name, or `nil` when it is unknown.
  func slot(named name: String) -> Slot? {
    names.firstIndex(of: name).map { cases[$0].slot }
  }

  /// Returns the slot for the bytes of a name, or `nil` when it is unknown.
  func slot(named name: UnsafeRawBufferPointer) -> Slot? {
    guard let start = name.baseAddress else { return nil }
    let text = UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: name.count)
    if let table { return table.index(of: text).map { cases[$0].slot } }
    for value in cases where value.nameCount == name.count + 2 {
      // Within its quotes.
      let known = UnsafeBufferPointer(start: value.name + 1, count: name.count)
      if known.elementsEqual(text) { return value.slot }
    }
    return nil
  }

  /// Returns the name of the known value in a slot, or `nil` when there is none.
  func name(of slot: UnsafeMutableRawPointer) -> String? {
    let slot = slot.load(as: Slot.self)
    return cases.firstIndex { $0.slot.bits == slot.bits }.map { names[$0] }
  }

  /// Returns the hash of the known value in a slot, or `nil` when there is none.
  func hash(of slot: UnsafeMutableRawPointer) -> UInt64? {
    let bits = slot.load(as: Slot.self).bits
    return cases.firstIndex { $0.slot.bits == bits }.map(UInt64.init)
  }

  /// Returns the hash of the value with a name, known or not.
  func hash(ofName name: String) -> UInt64 {
    let quoted = Array("\"\(name)\"".utf8)
    let index = cases.firstIndex { value in
      UnsafeBufferPointer(start: value.name, count: value.nameCount).elementsEqual(quoted)
    }
    return index.map(UInt64.init) ?? HashMixer.shared.hash(name)
  }

  /// Consumes the next name and returns its slot, or consumes nothing and returns `nil` when it is
  /// unknown.
  @inline(__always)
  func slot(forNextOf reader: inout JSONReader) -> Slot? {
    if let table { return slot(forNextOf: &reader, in: table) }
    for value in cases where reader.isNext(value.name, value.nameCount) {
      reader.cursor += value.nameCount
      return value.slot
    }
    return nil
  }

  @inline(never)
  private func slot(forNextOf reader: inout JSONReader, in table: ResponseKeyTable) -> Slot? {
    guard reader.next == UInt8(ascii: "\"") else { return nil }
    let first = reader.cursor + 1
    let last = JSONReader.scanString(from: first).last
    guard last.pointee == UInt8(ascii: "\""),
      let index = table.index(of: UnsafeBufferPointer(start: first, count: last - first))
    else { return nil }
    reader.cursor = last + 1
    return cases[index].slot
  }
}

/// An enum whose known values fit a table. `GraphQLEnum` alone conforms: a cast to the protocol
/// finds enums among leaves of any type, whatever their values are.
protocol EnumLeaf {
  /// `true` for a value that generated code does not know.
  var isUnknown: Bool { get }
  static func makeCases() -> EnumCaseTable
}

extension GraphQLEnum: EnumLeaf {
  var isUnknown: Bool { value == nil }

  static func makeCases() -> EnumCaseTable {
    EnumCaseTable(
      T.allCases.map { value in
        var slot = Slot(bits: (0, 0))
        withUnsafeMutableBytes(of: &slot) { bytes in
          SlotType.store(.some(Self.case(value)), in: bytes.baseAddress!)  // a slot has 16 bytes
        }
        return (value.rawValue, slot)
      })
  }
}

extension FieldType {
  /// The known values, if the type is an enum and not a list.
  var enumCases: EnumCaseTable? {
    guard rank == 0, case .leaf(let type) = base else { return nil }
    return (type as? any EnumLeaf.Type)?.makeCases()
  }
}

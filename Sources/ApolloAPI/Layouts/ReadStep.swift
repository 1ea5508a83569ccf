/// What the reader needs to know of a field, without references to count: one for each field of an ``ObjectLayout``.
struct ReadStep {
  /// The key with its quotes, padded with zeros to whole words.
  let key: UnsafePointer<UInt8>
  let keyCount: Int
  let slot: Int
  let reading: FieldLayout.Reading
  /// Whether the value may not be null.
  let isNonNull: Bool
  /// Whether the elements of the outermost list may not be null.
  let hasNonNullElements: Bool
  /// Where the field's objects stand. Unmanaged because places live as long as their plan, which is for ever.
  let place: Unmanaged<Place>?
  /// The known values of an enum.
  let cases: Unmanaged<EnumCases>?
  /// A hash of the key.
  let keyHash: UInt64
  /// Everything else, for what is seldom needed.
  private let details: Unmanaged<Details>

  private final class Details: Sendable {
    let field: FieldLayout
    let leafOperations: (any LeafSlotOperations)?
    let objectOperations: (any ObjectSlotOperations)?

    init(_ field: FieldLayout) {
      self.field = field
      leafOperations = field.operations as? any LeafSlotOperations
      objectOperations = field.operations as? any ObjectSlotOperations
    }
  }

  /// The field.
  var field: FieldLayout { details._withUnsafeGuaranteedRef { $0.field } }
  var responseKey: String { field.responseKey }
  var operations: any SlotOperations { details._withUnsafeGuaranteedRef { $0.field.operations } }
  var leafOperations: (any LeafSlotOperations)? {
    details._withUnsafeGuaranteedRef { $0.leafOperations }
  }
  var objectOperations: (any ObjectSlotOperations)? {
    details._withUnsafeGuaranteedRef { $0.objectOperations }
  }

  /// Where the field's objects stand. Only for fields that have objects.
  var objectPlace: Place {
    @inline(__always) get { place!._withUnsafeGuaranteedRef { $0 } }  // by contract
  }

  /// Initializes the field's slot as null, or as not there at all.
  @inline(__always)
  func initializeEmpty(_ slot: UnsafeMutableRawPointer, isNull: Bool) {
    switch reading {
    case .string, .id, .text:
      slot.initializeSlot(as: String??.self, to: isNull ? .some(nil) : nil)
    case .int: slot.initializeSlot(as: Int??.self, to: isNull ? .some(nil) : nil)
    case .double: slot.initializeSlot(as: Double??.self, to: isNull ? .some(nil) : nil)
    case .bool: slot.initializeSlot(as: Bool??.self, to: isNull ? .some(nil) : nil)
    case .object:
      slot.initializeSlot(as: ResponseObject??.self, to: isNull ? .some(nil) : nil)
    case .objects, .nestedObjects, .strings:
      slot.initializeSlot(as: [ResponseObject]??.self, to: isNull ? .some(nil) : nil)
    case .enumeration, .leaf: operations.initializeEmpty(slot, isNull: isNull)
    }
  }

  /// Whether the slot holds neither null nor nothing.
  func hasValue(_ slot: UnsafeMutableRawPointer) -> Bool { operations.hasValue(slot) }

  init(_ field: FieldLayout) {
    let quoted = Array("\"\(field.responseKey)\"".utf8)
    key = allocateForever(quoted)
    keyCount = quoted.count
    slot = field.slot
    reading = field.reading
    isNonNull = field.isNonNull
    hasNonNullElements = field.type.isNonNull(at: 1)
    place = field.place.map(Unmanaged.passUnretained)
    cases = field.type.enumCases.map(Unmanaged.passRetained)  // layouts live for ever
    keyHash = Mixer.shared.hash(field.responseKey)
    details = Unmanaged.passRetained(Details(field))  // as above
  }
}

/// Copies bytes into memory that is never freed, with zeros after them up to a whole number of words and one word more.
func allocateForever(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
  let capacity = (bytes.count + 15) & ~7
  let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  memory.initialize(repeating: 0, count: capacity)
  for (index, byte) in bytes.enumerated() { memory[index] = byte }
  return UnsafePointer(memory)
}

extension JSONReader {
  /// Whether the next bytes are `bytes`, which are padded to whole words.
  @inline(__always)
  func isNext(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var offset = 0
    while offset &+ 8 <= count {
      guard loadWord(cursor + offset) == loadWord(bytes + offset) else { return false }
      offset &+= 8
    }
    let rest = UInt64(count &- offset) &* 8
    let mask = (1 &<< rest) &- 1
    return (loadWord(cursor + offset) ^ loadWord(bytes + offset)) & mask == 0
  }
}

/// The known values of an enum as they lie in a slot, found by their names as they come in a response.
///
/// `@unchecked Sendable` because the pointers are to memory that is written before the initializer returns and never freed.
final class EnumCases: @unchecked Sendable {
  private struct Case {
    let name: UnsafePointer<UInt8>
    let nameCount: Int
    let slot: Slot
  }

  private let cases: UnsafeBufferPointer<Case>
  private let names: [String]

  /// Takes the names and the slots that hold their values, none of which may need to be released.
  init(_ values: [(name: String, slot: Slot)]) {
    let cases = UnsafeMutableBufferPointer<Case>.allocate(capacity: values.count)
    _ = cases.initialize(
      from: values.map { value in
        let quoted = Array("\"\(value.name)\"".utf8)
        return Case(name: allocateForever(quoted), nameCount: quoted.count, slot: value.slot)
      })
    self.cases = UnsafeBufferPointer(cases)
    names = values.map(\.name)
  }

  /// The slot for a name; `nil` when it is not known.
  func slot(named name: String) -> Slot? {
    names.firstIndex(of: name).map { cases[$0].slot }
  }

  /// The name of the value in a slot, if the slot came from here; `nil` when that cannot be told.
  func name(of slot: UnsafeMutableRawPointer) -> String? {
    let slot = slot.load(as: Slot.self)
    return cases.firstIndex { $0.slot.bits == slot.bits }.map { names[$0] }
  }

  /// The hash of a slot with a known value, or `nil` when that cannot be told from its bits.
  func hash(of slot: UnsafeMutableRawPointer) -> UInt64? {
    let bits = slot.load(as: Slot.self).bits
    return cases.firstIndex { $0.slot.bits == bits }.map(UInt64.init)
  }

  /// The hash of the value with a name, known or not.
  func hash(ofName name: String) -> UInt64 {
    let quoted = Array("\"\(name)\"".utf8)
    let index = cases.firstIndex { value in
      UnsafeBufferPointer(start: value.name, count: value.nameCount).elementsEqual(quoted)
    }
    return index.map(UInt64.init) ?? Mixer.shared.hash(name)
  }

  /// The slot for the name that comes next, which is consumed; `nil` when it is not known.
  @inline(__always)
  func slot(forNextOf reader: inout JSONReader) -> Slot? {
    for value in cases where reader.isNext(value.name, value.nameCount) {
      reader.cursor += value.nameCount
      return value.slot
    }
    return nil
  }
}

/// An enum whose known values can be put into a table.
protocol EnumLeaf {
  /// Whether this is a value that the generated code does not know.
  var isUnknown: Bool { get }
  static func makeCases() -> EnumCases
}

extension GraphQLEnum: EnumLeaf {
  var isUnknown: Bool { value == nil }

  static func makeCases() -> EnumCases {
    let operations = LeafSlot<Self>(kind: .enumeration)
    return EnumCases(
      T.allCases.map { value in
        var slot = Slot(bits: (0, 0))
        withUnsafeMutableBytes(of: &slot) { bytes in
          operations.store(.some(.case(value)), in: bytes.baseAddress!)  // a slot has 16 bytes
        }
        return (value.rawValue, slot)
      })
  }
}

extension FieldType {
  /// The known values, when the type is an enum and no list of it.
  var enumCases: EnumCases? {
    guard rank == 0, case .leaf(let type) = base else { return nil }
    return (type as? any EnumLeaf.Type)?.makeCases()
  }
}

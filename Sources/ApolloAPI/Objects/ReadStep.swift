/// What the reader needs to know of a field, without references to count: one for each field of an ``ObjectLayout``.
struct ReadStep {
  /// The key with its quotes and a colon, padded with zeros to whole words.
  let key: UnsafePointer<UInt8>
  /// The first 16 bytes of it, and which of them count.
  let keyHead: (UInt64, UInt64)
  let keyMask: (UInt64, UInt64)
  private let quotedKeyCount: Int32
  private let slotIndex: Int32
  let reading: FieldLayout.Reading
  /// Whether the value may not be null.
  let isNonNull: Bool
  /// Whether the value may come later, with a deferred part of the object.
  let isDeferred: Bool
  /// Whether the elements of the outermost list may not be null.
  let hasNonNullElements: Bool
  /// How many lists are around the values.
  let rank: UInt8
  private let nonNull: UInt32
  /// Where the field's objects stand. Unmanaged because places live as long as their plan, which is for ever.
  let position: Unmanaged<ObjectPosition>?
  /// The known values of an enum.
  let cases: Unmanaged<EnumCaseTable>?
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

  /// How many bytes the key has with its quotes.
  var keyCount: Int {
    @inline(__always) get { Int(quotedKeyCount) }
  }
  /// The slot of the object that holds the value.
  var slot: Int {
    @inline(__always) get { Int(slotIndex) }
  }
  /// The same, in bytes from the first slot.
  var slotOffset: Int {
    @inline(__always) get { Int(slotIndex) &* MemoryLayout<Slot>.stride }
  }
  /// Whether a value `depth` lists deep may not be null.
  func isNonNull(at depth: Int) -> Bool { nonNull >> UInt32(depth) & 1 == 1 }

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
  var objectPlace: ObjectPosition {
    @inline(__always) get { position!._withUnsafeGuaranteedRef { $0 } }  // by contract
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

  init(_ field: FieldLayout) {
    key = allocateForever(Array("\"\(field.responseKey)\":".utf8))
    let keyCount = field.responseKey.utf8.count + 2
    quotedKeyCount = Int32(keyCount)
    keyHead = (loadWord(key), loadWord(key + 8))
    // Smart shifts: a shift by 64 gives zero.
    keyMask = (~(~0 << (UInt64(keyCount + 1) * 8)), ~(~0 << (UInt64(max(keyCount - 7, 0)) * 8)))
    slotIndex = Int32(field.slot)
    reading = field.reading
    isNonNull = field.isNonNull
    isDeferred = field.isDeferred
    hasNonNullElements = field.hasNonNullElements
    rank = UInt8(field.listRank)
    nonNull = field.type.nonNull
    position = field.position.map(Unmanaged.passUnretained)
    cases = field.type.enumCases.map(Unmanaged.passRetained)  // layouts live for ever
    keyHash = HashMixer.shared.hash(field.responseKey)
    details = Unmanaged.passRetained(Details(field))  // as above
  }
}

// MARK: - What slots hold

extension ReadStep {
  // Types that are known here need not be looked up at run time, which `operations` does: 3 ns instead of 300.

  /// Whether the slot holds neither null nor nothing.
  func hasValue(_ slot: UnsafeMutableRawPointer) -> Bool {
    switch reading {
    case .string, .id, .text: ResponseObject.load(String.self, slot) != nil
    case .int: ResponseObject.load(Int.self, slot) != nil
    case .double: ResponseObject.load(Double.self, slot) != nil
    case .bool: ResponseObject.load(Bool.self, slot) != nil
    case .object, .objects, .nestedObjects, .strings: Slot.hasReference(slot)
    case .enumeration: isKnownCase(slot) || operations.hasValue(slot)
    case .leaf: operations.hasValue(slot)
    }
  }

  /// Whether the slot holds nothing, not even null.
  func isMissing(_ slot: UnsafeMutableRawPointer) -> Bool {
    switch reading {
    case .string, .id, .text: Self.isMissing(slot.assumingMemoryBound(to: String??.self).pointee)
    case .int: Self.isMissing(slot.assumingMemoryBound(to: Int??.self).pointee)
    case .double: Self.isMissing(slot.assumingMemoryBound(to: Double??.self).pointee)
    case .bool: Self.isMissing(slot.assumingMemoryBound(to: Bool??.self).pointee)
    case .object, .objects, .nestedObjects, .strings:
      Self.isMissing(slot.assumingMemoryBound(to: ResponseObject??.self).pointee)
    case .enumeration: !isKnownCase(slot) && operations.isMissing(slot)
    case .leaf: operations.isMissing(slot)
    }
  }

  /// The name of the known value of an enum in the slot, or `nil` when there is none.
  func caseName(_ slot: UnsafeMutableRawPointer) -> String? {
    cases?._withUnsafeGuaranteedRef { $0.name(of: slot) }
  }

  private func isKnownCase(_ slot: UnsafeMutableRawPointer) -> Bool {
    cases?._withUnsafeGuaranteedRef { $0.hash(of: slot) } != nil
  }

  @inline(__always)
  private static func isMissing<Value>(_ value: Value??) -> Bool {
    if case .none = value { true } else { false }
  }
}

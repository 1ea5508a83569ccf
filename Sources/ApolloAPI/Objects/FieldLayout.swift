/// One field of an ``ObjectLayout``: its response key, its nullability, its slot and its slot type.
///
/// Trivial, so that the reader copies no references: everything that a field refers to lives as
/// long as the program.
///
/// `@unchecked Sendable` because the pointers are to memory that is written before the initializer
/// returns and never freed.
package struct FieldLayout: @unchecked Sendable {
  /// The response key with its quotes and a colon, padded with zeros to whole words.
  let key: UnsafePointer<UInt8>
  /// The first 16 bytes of ``key``, and a mask of those that count.
  let keyHead: (UInt64, UInt64)
  let keyMask: (UInt64, UInt64)
  private let quotedKeyCount: Int32
  private let slotIndex: Int32
  /// The operations on the field's slot.
  let slotType: SlotType
  /// `true` if the value is never null.
  package let isNonNull: Bool
  /// `true` if the elements of the outermost list are never null.
  package let hasNonNullElements: Bool
  /// `true` if the value may arrive later, with a deferred part of the object.
  package let isDeferred: Bool
  /// `true` if the arguments contain variables.
  let hasVariables: Bool
  /// The position of the field's objects; `nil` for a leaf.
  let positionReference: Unmanaged<ObjectPosition>?
  /// A hash of the response key.
  let keyHash: UInt64
  /// The facts that reading a response does not need.
  private let details: Unmanaged<Details>

  private final class Details: Sendable {
    let responseKey: String
    let name: String
    let arguments: [FieldSelection.Argument]
    let type: FieldType
    let maxAge: MaxAge?
    let staticKey: String
    let isCertain: Bool
    let connection: FieldSelection.Connection?
    let listEdits: [ListEdit]

    init(
      _ field: FieldSelection, maxAge: MaxAge?, listEdits: [ListEdit], staticKey: String
    ) {
      responseKey = field.responseKey
      name = field.name
      arguments = field.arguments
      type = field.type
      self.maxAge = maxAge
      self.staticKey = staticKey
      isCertain = field.certainLevels & 1 == 1
      connection = field.connection
      self.listEdits = listEdits
    }
  }

  /// - Parameters:
  ///   - field: The first selection of the field.
  ///   - slot: The slot that holds its value.
  ///   - position: The position of its objects; `nil` for a leaf.
  ///   - isDeferred: Whether the value may arrive later.
  ///   - maxAge: The maximum age that the operation gives the field.
  ///   - listEdits: The changes of lists that the operation asks for with the field.
  ///   - staticKey: The canonical name for arguments without variables.
  init(
    _ field: FieldSelection, slot: Int, position: ObjectPosition?, isDeferred: Bool,
    maxAge: MaxAge?, listEdits: [ListEdit] = [], staticKey: String
  ) {
    key = allocateForever(Array("\"\(field.responseKey)\":".utf8))
    let keyCount = field.responseKey.utf8.count + 2
    quotedKeyCount = Int32(keyCount)
    keyHead = (loadWord(key), loadWord(key + 8))
    // Smart shifts: a shift by 64 gives zero.
    keyMask = (~(~0 << (UInt64(keyCount + 1) * 8)), ~(~0 << (UInt64(max(keyCount - 7, 0)) * 8)))
    slotIndex = Int32(slot)
    slotType = SlotType(field.type)
    isNonNull = field.type.isNonNull(at: 0)
    hasNonNullElements = field.type.isNonNull(at: 1)
    self.isDeferred = isDeferred
    hasVariables = field.arguments.contains { $0.value.constant == nil }
    positionReference = position.map(Unmanaged.passUnretained)  // its plan retains it
    keyHash = HashMixer.shared.hash(field.responseKey)
    details = .passRetained(
      Details(field, maxAge: maxAge, listEdits: listEdits, staticKey: staticKey))
  }
}

extension FieldLayout {
  /// The key in the response: the alias, or the name.
  package var responseKey: String { details._withUnsafeGuaranteedRef { $0.responseKey } }
  /// The name in the schema.
  package var name: String { details._withUnsafeGuaranteedRef { $0.name } }
  var arguments: [FieldSelection.Argument] { details._withUnsafeGuaranteedRef { $0.arguments } }
  /// `true` if the field is selected with arguments.
  package var hasArguments: Bool { !arguments.isEmpty }
  /// The type of its values.
  package var type: FieldType { details._withUnsafeGuaranteedRef { $0.type } }
  /// Indicates whether a property promises a value, although the server may send null.
  package var isCertain: Bool { details._withUnsafeGuaranteedRef { $0.isCertain } }
  /// The key and the filters of its `@connection`, or `nil` if it has none.
  package var connection: (key: String?, filters: [String]?)? {
    details._withUnsafeGuaranteedRef { $0.connection.map { ($0.key, $0.filters) } }
  }
  /// The changes of lists and records that the operation asks for with the field.
  package var listEdits: [ListEdit] { details._withUnsafeGuaranteedRef { $0.listEdits } }
  /// The maximum age that the operation gives the field, or `nil` for that of the schema.
  package var maxAge: MaxAge? { details._withUnsafeGuaranteedRef { $0.maxAge } }
  /// The canonical name when the arguments contain no variables. See ``FieldKeys``.
  var staticKey: String { details._withUnsafeGuaranteedRef { $0.staticKey } }

  /// The position of the field's objects; `nil` for a leaf.
  package var position: ObjectPosition? { positionReference?._withUnsafeGuaranteedRef { $0 } }
  /// The position of the field's objects. Only for fields with objects.
  var objectPosition: ObjectPosition {
    @inline(__always) get { positionReference!._withUnsafeGuaranteedRef { $0 } }  // by contract
  }

  /// The number of lists around the values.
  package var listRank: Int { Int(slotType.rank) }

  /// The slot of the object that holds the value.
  package var slot: Int {
    @inline(__always) get { Int(slotIndex) }
  }
  /// The offset of the slot in bytes from the first one.
  var slotOffset: Int {
    @inline(__always) get { Int(slotIndex) &* MemoryLayout<Slot>.stride }
  }
  /// The number of bytes of the response key with its quotes.
  var keyCount: Int {
    @inline(__always) get { Int(quotedKeyCount) }
  }

  /// The type for error messages: `an object`, `a list`, `a value`.
  var typeDescription: String {
    if listRank > 0 { return "a list" }
    return slotType.holdsObjects ? "an object" : "a value"
  }
}

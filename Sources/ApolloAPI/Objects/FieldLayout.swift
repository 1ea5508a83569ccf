/// One field of an ``ObjectLayout``: what to expect in a response, and where to put it.
package struct FieldLayout: Sendable {
  /// The key in the response: the alias, or the name.
  package let responseKey: String
  /// The name in the schema.
  package let name: String
  /// The slot of the object that holds the value.
  package let slot: Int
  /// How many lists are around the values, and which of them may not be null.
  let type: FieldType
  /// Where the field's objects stand; `nil` for a leaf.
  package let position: ObjectPosition?
  /// How values lie in the slot.
  package let operations: any SlotOperations
  /// The same, if the field is a leaf or a list of leaves: casts are slow.
  package let leafOperations: (any LeafSlotOperations)?
  /// How the reader reads the value.
  let reading: Reading
  let arguments: [FieldSelection.Argument]
  /// Whether the value may come later, with a deferred part of the object.
  package let isDeferred: Bool
  /// Whether the arguments have variables.
  let hasVariables: Bool
  /// The canonical name when the arguments have no variables. See ``FieldKeys``.
  let staticKey: String

  /// Whether the value may not be null.
  package var isNonNull: Bool { type.isNonNull(at: 0) }
  /// Whether the elements of the outermost list may not be null.
  package var hasNonNullElements: Bool { type.isNonNull(at: 1) }
  /// How many lists are around the values.
  package var listRank: Int { type.rank }

  /// The shortcuts that the reader has; the rest goes through `operations`.
  enum Reading: UInt8 {
    case string, id, text, int, double, bool, enumeration, strings, leaf
    case object, objects, nestedObjects
  }
}

/// A value that a slot of a ``ResponseObject`` can hold: a leaf, a selection set, or a list of
/// either.
///
/// Conform through ``CustomScalarType`` or ``SelectionSet``, never directly: the slots know these
/// types only.
public protocol SlotValue: SlotElement {}

/// An element of a list in a slot: a ``SlotValue``, or an optional one.
public protocol SlotElement: Sendable {}

extension Optional: SlotElement where Wrapped: SlotValue {}
extension Array: SlotElement where Element: SlotElement {}
extension Array: SlotValue where Element: SlotElement {}

/// A leaf, or lists and optionals of leaves: a value that is decoded from one JSON value.
public protocol LeafElement: SlotElement, Hashable {
  /// Decodes a value of a response.
  ///
  /// - Throws: Any error, such as a ``ScalarError``. It is reported with the response path.
  init(_jsonValue value: JSONValue) throws

  /// The value as JSON.
  var _jsonValue: JSONValue { get }
}

/// A scalar or an enum.
public protocol LeafValue: LeafElement, SlotValue {}

extension Optional: LeafElement where Wrapped: LeafElement & SlotValue {
  /// Decodes `nil` from `null`, otherwise a value.
  public init(_jsonValue value: JSONValue) throws {
    self = value.isNull ? nil : try Wrapped(_jsonValue: value)
  }

  /// `null` or the value.
  public var _jsonValue: JSONValue { self?._jsonValue ?? .null }
}

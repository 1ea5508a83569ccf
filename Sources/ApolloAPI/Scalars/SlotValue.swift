/// Something that a slot of a ``ResponseObject`` can hold: a leaf, a selection set, or a list of either.
///
/// Conform by way of ``CustomScalarType`` or ``SelectionSet``, never directly: how a value lies in its slot is settled here.
public protocol SlotValue: SlotElement {}

/// Something that a list in a slot can hold: a ``SlotValue``, or an optional one.
public protocol SlotElement: Sendable {}

extension Optional: SlotElement where Wrapped: SlotValue {}
extension Array: SlotElement where Element: SlotElement {}
extension Array: SlotValue where Element: SlotElement {}

/// A leaf, or lists and optionals of leaves: what is read from one JSON value.
public protocol LeafElement: SlotElement, Hashable {
  /// Decodes the value from what a server sent.
  ///
  /// - Throws: any error, for instance a ``ScalarError``; it is reported with the response path.
  init(_jsonValue value: JSONValue) throws

  /// The value as JSON.
  var _jsonValue: JSONValue { get }
}

/// A scalar or an enum.
public protocol LeafValue: LeafElement, SlotValue {}

extension Optional: LeafElement where Wrapped: LeafElement & SlotValue {
  /// `nil` for `null`, otherwise the value.
  public init(_jsonValue value: JSONValue) throws {
    self = value.isNull ? nil : try Wrapped(_jsonValue: value)
  }

  /// `null` or the value.
  public var _jsonValue: JSONValue { self?._jsonValue ?? .null }
}

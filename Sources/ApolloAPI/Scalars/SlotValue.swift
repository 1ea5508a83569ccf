extension GeneratedCode {
  /// A value that a slot of a ``ResponseObject`` can hold: a leaf, a selection set, or a list of
  /// either.
  ///
  /// Conform through ``CustomScalarType`` or ``SelectionSet``, never directly: the slots know these
  /// types only.
  public protocol SlotValue: GeneratedCode.SlotElement {}
}

@usableFromInline package typealias SlotValue = GeneratedCode.SlotValue

extension GeneratedCode {
  /// An element of a list in a slot: a ``SlotValue``, or an optional one.
  public protocol SlotElement: Sendable {}
}

@usableFromInline package typealias SlotElement = GeneratedCode.SlotElement

extension Optional: SlotElement where Wrapped: GeneratedCode.SlotValue {}
extension Array: SlotElement where Element: GeneratedCode.SlotElement {}
extension Array: SlotValue where Element: GeneratedCode.SlotElement {}

extension GeneratedCode {
  /// A leaf, or lists and optionals of leaves: a value that is decoded from one JSON value.
  public protocol LeafElement: GeneratedCode.SlotElement, Hashable {
    /// Decodes a value of a response.
    ///
    /// - Throws: Any error, such as a ``ScalarError``. It is reported with the response path.
    init(_jsonValue value: JSONValue) throws

    /// The value as JSON.
    var _jsonValue: JSONValue { get }
  }
}

@usableFromInline package typealias LeafElement = GeneratedCode.LeafElement

extension GeneratedCode {
  /// A scalar or an enum.
  public protocol LeafValue: GeneratedCode.LeafElement, GeneratedCode.SlotValue {}
}

@usableFromInline package typealias LeafValue = GeneratedCode.LeafValue

extension Optional: LeafElement where Wrapped: GeneratedCode.LeafElement & GeneratedCode.SlotValue {
  /// Decodes `nil` from `null`, otherwise a value.
  public init(_jsonValue value: JSONValue) throws {
    self = value.isNull ? nil : try Wrapped(_jsonValue: value)
  }

  /// `null` or the value.
  public var _jsonValue: JSONValue { self?._jsonValue ?? .null }
}

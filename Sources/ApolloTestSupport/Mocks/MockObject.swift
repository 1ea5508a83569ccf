/// An object type of the schema, as generated code describes it for ``Mock``.
public protocol MockObject {
  /// A struct with a ``MockField`` for each field that operations select.
  associatedtype MockFields: Sendable

  /// The type in the schema.
  static var objectType: Object { get }
  /// The fields.
  static var _mockFields: MockFields { get }
}

/// A field of a mock: its response key, and the type of its values without the outermost `Optional`.
public struct MockField<Value>: Sendable {
  let key: String

  /// A field with this response key.
  public init(_ key: String) { self.key = key }
}

/// A mock of some object, where the schema leaves open of which type.
///
/// Only ``Mock`` conforms.
public protocol AnyMock: AnyObject {
  /// The name of the object's type.
  var __typename: String { get }
  /// The value of a field, or `nil` when it was not set.
  func _value(forKey key: String) -> Any?
  /// The response keys of the fields that were set.
  var _keys: [String] { get }
}

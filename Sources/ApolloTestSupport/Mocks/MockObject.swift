/// A generated description of one object type, for ``Mock``.
public protocol MockObject {
  /// A struct with a ``MockField`` for each field that operations select.
  associatedtype MockFields: Sendable

  /// The type in the schema.
  static var objectType: Object { get }
  /// The fields that a mock can have.
  static var _mockFields: MockFields { get }
}

/// A field of a mock: its response key and the type of its non-null values.
public struct MockField<Value>: Sendable {
  let key: String

  /// Creates a field with a response key.
  public init(_ key: String) { self.key = key }
}

/// A mock of any object type, for fields that have an interface or a union as their type.
///
/// ``Mock`` is the only type that conforms. The protocol is what its instances have in common,
/// whatever their object types are.
public protocol AnyMock: AnyObject {
  /// The name of the object's type.
  var __typename: String { get }
  /// Returns the value of a field, or `nil` if it is not set.
  func _value(forKey key: String) -> Any?
  /// The response keys of the fields that are set.
  var _keys: [String] { get }
}

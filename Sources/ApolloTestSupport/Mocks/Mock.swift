/// A server's object in a test, with the fields that the test needs.
///
/// ```swift
/// let mock = Mock<Human>(friends: [Mock<Droid>(name: "R2-D2")], name: "Luke")
/// mock.height = 1.72
/// let hero = HeroQuery.Data.Hero.from(mock)
/// ```
///
/// A mock is a class, so a test can change it after adding it to another mock. Mocks are not
/// `Sendable`: use each of them in one task.
@dynamicMemberLookup
public final class Mock<O: MockObject>: AnyMock {
  private var values: [String: Any] = [:]

  /// Creates a mock without fields.
  public init() {}

  /// Creates a mock with fields, by response key. Generated initializers call it.
  public init(_values values: KeyValuePairs<String, Any?>) {
    for (key, value) in values { self.values[key] = value }
  }

  /// The value of a field, or `nil` if it is not set.
  ///
  /// A model reads a field that is not set as `null`. If the schema declares the field non-null,
  /// reading it traps.
  public subscript<Value>(
    dynamicMember path: KeyPath<O.MockFields, MockField<Value>>
  ) -> Value? {
    get { values[O._mockFields[keyPath: path].key] as? Value }
    set { values[O._mockFields[keyPath: path].key] = newValue }
  }

  /// The name of the object's type.
  public var __typename: String { O.objectType.typename }

  /// Returns the value of a field, or `nil` if it is not set.
  public func _value(forKey key: String) -> Any? { values[key] }

  /// The response keys of the fields that are set.
  public var _keys: [String] { Array(values.keys) }
}

extension Mock: Hashable {
  /// Returns `true` if both mocks have the same type and equal fields. Nested mocks are compared in
  /// the same way.
  public static func == (lhs: Mock, rhs: Mock) -> Bool {
    var comparison = MockComparison()
    return comparison.areEqual(lhs, rhs)
  }

  /// Hashes the names of the fields that are set.
  public func hash(into hasher: inout Hasher) { hasher.combine(Set(values.keys)) }
}

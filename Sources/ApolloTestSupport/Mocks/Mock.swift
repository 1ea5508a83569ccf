/// An object as a server might send it, with as many fields as a test needs.
///
/// ```swift
/// let mock = Mock<Human>(name: "Luke", friends: [Mock<Droid>(name: "R2-D2")])
/// mock.height = 1.72
/// let hero = HeroQuery.Data.Hero.from(mock)
/// ```
///
/// A mock is an object that its test changes as it likes, also after it was put into another one. It belongs to one task at a time.
@dynamicMemberLookup
public final class Mock<O: MockObject>: AnyMock {
  private var values: [String: Any] = [:]

  /// A mock without fields.
  public init() {}

  /// A mock with some fields, by response key. Generated initializers call this.
  public init(_values values: KeyValuePairs<String, Any?>) {
    for (key, value) in values { self.values[key] = value }
  }

  /// A field; `nil` when it was not set, which a model takes for `null` or, where the schema rules that out, for missing.
  public subscript<Value>(
    dynamicMember path: KeyPath<O.MockFields, MockField<Value>>
  ) -> Value? {
    get { values[O._mockFields[keyPath: path].key] as? Value }
    set { values[O._mockFields[keyPath: path].key] = newValue }
  }

  /// The name of the object's type.
  public var __typename: String { O.objectType.typename }

  /// The value of a field, or `nil` when it was not set.
  public func _value(forKey key: String) -> Any? { values[key] }

  /// The response keys of the fields that were set.
  public var _keys: [String] { Array(values.keys) }
}

extension Mock: Hashable {
  /// Whether both are of one type and have the same fields with equal values; mocks inside of them are compared likewise.
  public static func == (lhs: Mock, rhs: Mock) -> Bool {
    var comparison = MockComparison()
    return comparison.areEqual(lhs, rhs)
  }

  /// Hashes the names of the fields.
  public func hash(into hasher: inout Hasher) { hasher.combine(Set(values.keys)) }
}

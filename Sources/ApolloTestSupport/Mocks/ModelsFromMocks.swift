extension RootSelectionSet {
  /// Creates the model of a response with the fields of a mock.
  ///
  /// ```swift
  /// let hero = HeroQuery.Data.Hero.from(Mock<Human>(name: "Luke"))
  /// ```
  ///
  /// - Fields that the mock lacks are `null`. If the schema declares such a field non-null, it is
  ///   missing: only a test that reads it fails, by a trap.
  /// - Fields that the model does not select are ignored.
  /// - A field with a value of another type than the model expects traps. This can occur if
  ///   operations use one response key for different fields.
  ///
  /// - Parameters:
  ///   - mock: The object.
  ///   - variables: The values of the variables in `@include` and `@skip` conditions.
  /// - Returns: A model of the mock's current fields. Later changes of the mock do not affect it.
  /// - Complexity: O(*n*) in the fields that the model selects, even if mocks contain each other.
  public static func from(_ mock: any AnyMock, withVariables variables: Variables? = nil) -> Self {
    let position = __layout.plan(schema: Schema.self, variables: variables).position(
      showing: __layout)
    return Self(__object: ResponseObject(mock, at: position))
  }
}

extension ResponseObject {
  fileprivate init(_ mock: any AnyMock, at position: ObjectPosition) {
    let layout = position.layout(forTypename: mock.__typename)
    var builder = ResponseObjectBuilder(layout)
    for (index, field) in layout.fields.enumerated() {
      do {
        try builder.set(index, field, of: mock)
      } catch {
        preconditionFailure("A mock of '\(mock.__typename)' does not fit the model: \(error)")
      }
    }
    self = builder.finishPartially()
  }
}

extension ResponseObjectBuilder {
  fileprivate mutating func set(
    _ index: Int, _ field: FieldLayout, of mock: any AnyMock
  ) throws(ResponseError) {
    if field.name == "__typename" { return try set(index, leaf: .string(mock.__typename)) }
    let contents = MockContents(mock._value(forKey: field.responseKey))
    switch contents {
    case .null:
      if !field.isNonNull { try setNull(index) }
    case .leaf(let value): try set(index, leaf: value)
    case .mock, .list: try set(index, objects: contents.objects(at: field.position))
    }
  }
}

extension MockContents {
  fileprivate func objects(at position: ObjectPosition?) -> ObjectTree {
    switch self {
    case .null, .leaf: .null
    case .mock(let mock): position.map { .object(ResponseObject(mock, at: $0)) } ?? .null
    case .list(let elements): .list(elements.map { $0.objects(at: position) })
    }
  }
}

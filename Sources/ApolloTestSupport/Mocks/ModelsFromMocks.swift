extension RootSelectionSet {
  /// A model as if a server had answered what a mock holds.
  ///
  /// Fields that the mock does not have are `null`. Where the schema rules that out they are missing: only the test that reads
  /// such a field fails, by trapping. Fields that the model does not select are ignored.
  ///
  /// Traps when a field of the mock has a value of another type than the model expects, as can happen where one response key
  /// stands for different fields in different operations.
  ///
  /// - Parameters:
  ///   - mock: the object.
  ///   - variables: the values of the variables that `@include` and `@skip` depend on.
  /// - Returns: a model of the mock as it is now; changing the mock later does not change the model.
  /// - Complexity: O(*n*) in the fields that the model selects, however mocks contain each other.
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

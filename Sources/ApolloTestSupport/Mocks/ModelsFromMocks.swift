extension RootSelectionSet {
  /// Creates the model of a response with the fields of a mock.
  ///
  /// ```swift
  /// let hero = HeroQuery.Data.Hero.from(Mock<Human>(name: "Luke"))
  /// ```
  ///
  /// - Fields that the mock lacks are `null`. If the schema declares such a field non-null,
  ///   `filling` determines its value.
  /// - Fields that the model does not select are ignored.
  /// - A field with a value of another type than the model expects traps. This can occur if
  ///   operations use one response key for different fields.
  ///
  /// - Parameters:
  ///   - mock: The object.
  ///   - variables: The values of the variables in `@include` and `@skip` conditions.
  ///   - filling: The treatment of non-null fields that the mock lacks. By default they are
  ///     missing: only a test that reads one fails, by a trap.
  /// - Returns: A model of the mock's current fields. Later changes of the mock do not affect it.
  /// - Complexity: O(*n*) in the fields that the model selects, even if mocks contain each other.
  public static func from(
    _ mock: any AnyMock, withVariables variables: Variables? = nil,
    filling: MockFilling = .nothing
  ) -> Self {
    let position = __layout.plan(schema: Schema.self, variables: variables).position(
      showing: __layout)
    var reader = MockReader(
      types: Schema.types, filler: filling == .required ? MockFiller() : nil)
    return Self(__object: reader.object(mock.__typename, mock, at: position))
  }

  /// Creates the model of a response with the fields of a mock, some of which have failed.
  ///
  /// ```swift
  /// let hero = HeroQuery.Data.Hero.from(
  ///   Mock<Human>(name: "Luke"),
  ///   errors: [GraphQLError(message: "Nobody measured.", path: ["height"])])
  /// ```
  ///
  /// Properties of fields with `@catch` report the errors, and so does `errors(for:)`.
  ///
  /// - Parameters:
  ///   - mock: The object. It has no values for the fields that have failed.
  ///   - variables: The values of the variables in `@include` and `@skip` conditions.
  ///   - filling: The treatment of non-null fields that the mock lacks.
  ///   - errors: The errors of fields. Their paths begin at the model.
  /// - Returns: A model of the mock's current fields.
  public static func from(
    _ mock: any AnyMock, withVariables variables: Variables? = nil,
    filling: MockFilling = .nothing, errors: [GraphQLError]
  ) -> Self {
    let model = from(mock, withVariables: variables, filling: filling)
    return Self(__object: model.__object.attaching(errors))
  }
}

/// Makes the objects of a response from mocks.
private struct MockReader {
  let types: GeneratedCode.SchemaTypes
  /// The source of required values that mocks lack; `nil` to leave them out.
  var filler: MockFiller?

  /// Returns an object of a type with the fields of a mock, or without any if there is no mock.
  mutating func object(
    _ typename: String, _ mock: (any AnyMock)?, at position: ObjectPosition
  ) -> ResponseObject {
    let layout = position.layout(forTypename: typename)
    var builder = ResponseObjectBuilder(layout)
    filler?.beginObject()
    // Its number is that of this object, not of those within it.
    let fillerOfObject = filler
    for (index, field) in layout.fields.enumerated() {
      do {
        if field.name == "__typename" {
          try builder.set(index, leaf: .string(typename))
          continue
        }
        switch MockContents(mock?._value(forKey: field.responseKey)) {
        case .null:
          guard field.isNonNull || field.isCertain else {
            try builder.setNull(index)
            continue
          }
          guard let fillerOfObject else { continue }
          if let position = field.position {
            try builder.set(index, objects: requiredObjects(of: field, at: position))
          } else {
            try builder.set(index, leaf: fillerOfObject.value(for: field, of: typename))
          }
        case .leaf(let value): try builder.set(index, leaf: value)
        case let contents:
          // A list of leaves is a leaf, so this is an object or a list of objects.
          try builder.set(index, objects: objects(contents, at: field.position))
        }
      } catch {
        preconditionFailure("A mock of '\(typename)' does not fit the model: \(error)")
      }
    }
    return builder.finishPartially()
  }

  /// Returns the value of a field with objects that no mock sets and that must not be null.
  private mutating func requiredObjects(
    of field: FieldLayout, at position: ObjectPosition
  ) -> ObjectTree {
    guard field.listRank == 0 else { return .list([]) }
    let parentType = position.sources[0].parentType  // a position has a source
    let typename =
      position.staticTypename ?? types.possibleTypes(of: parentType).first ?? parentType
    return .object(object(typename, nil, at: position))
  }

  private mutating func objects(_ contents: MockContents, at position: ObjectPosition?)
    -> ObjectTree
  {
    switch contents {
    case .null, .leaf: return .null
    case .mock(let mock):
      guard let position else { return .null }
      return .object(object(mock.__typename, mock, at: position))
    case .list(let elements): return .list(elements.map { objects($0, at: position) })
    }
  }
}

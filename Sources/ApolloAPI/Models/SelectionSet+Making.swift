extension SelectionSet {
  /// Creates a model from values by response key. Generated initializers call this.
  ///
  /// The new object fulfils this view and those around it, and nothing else: one that is made as a
  /// `Hero.AsDroid` is a droid, one that is made as a `Hero` is not. `__typename` is added if the
  /// view determines it.
  ///
  /// - Parameter values: The values. Those that are left out or `nil` are null.
  /// - Complexity: O(*n*²) in the fields.
  public init(__values values: KeyValuePairs<String, (any GeneratedCode.SlotValue)?>) {
    self.init(__object: ResponseObject(as: Self.__layout, schema: Schema.self, values: values))
  }
}

extension ResponseObject {
  fileprivate init(
    as view: SelectionLayout, schema: any SchemaMetadata.Type,
    values: KeyValuePairs<String, (any SlotValue)?>
  ) {
    let (layout, typename) = Self.layout(as: view, schema: schema, values: values)
    let object = ResponseObject.uninitialized(layout)
    for index in layout.fields.indices {
      let field = layout.fields.baseAddress! + index  // there is a field with this index
      let slot = object.slot(field.pointee.slot)
      if let value = values[field.pointee.responseKey] ?? nil {
        Self.initialize(slot, field, opening: value)
      } else if let typename, field.pointee.name == "__typename" {
        Self.initialize(slot, field, with: typename)
      } else {
        field.pointee.slotType.initializeEmpty(slot, isNull: !field.pointee.isNonNull)
      }
    }
    self = object
  }

  /// Returns the layout of an object that is made as a view, and the object's type.
  private static func layout(
    as view: SelectionLayout, schema: any SchemaMetadata.Type,
    values: KeyValuePairs<String, (any SlotValue)?>
  ) -> (ObjectLayout, typename: String?) {
    let position = view.constructedPosition(schema: schema)
    let given = position.typenameKey.flatMap { values[$0] ?? nil } as? String
    let typename = position.plan.constructedTypename ?? given
    let layout = position.layout(forTypename: typename)
    let others = values.lazy.filter { key, value in
      value != nil && layout.fieldIndex(withKey: key) == nil
    }
    guard !others.isEmpty else { return (layout, typename) }
    let conditional = view.constructedPosition(schema: schema, keys: Set(others.map(\.key)))
    return (conditional.layout(forTypename: typename), typename)
  }

  private static func initialize(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>,
    opening value: any SlotValue
  ) {
    func open<Value: SlotValue>(_ value: Value) { initialize(slot, field, with: value) }
    open(value)
  }
}

extension KeyValuePairs<String, (any SlotValue)?> {
  fileprivate subscript(key: String) -> Value? { first { $0.key == key }?.value }
}

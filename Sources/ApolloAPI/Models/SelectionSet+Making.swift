extension SelectionSet {
  /// Creates a model from values by response key. Generated initializers call this.
  ///
  /// The new model fulfils this view and those around it: a model created as a `Hero.AsDroid` is a
  /// droid, one created as a `Hero` is not. It also fulfils each conditional view that has a field
  /// among the values: after `... @include(if: $all) { name }`, a value for `name` includes it.
  /// `__typename` is added if the values do not contain it and the view determines it.
  ///
  /// - Parameter values: The values by response key. A field without a value is null, or missing if
  ///   its type is non-null. A key that is a field of no such view is ignored.
  /// - Complexity: O(*n*²), where *n* is the number of fields.
  public init(__values values: KeyValuePairs<String, (any GeneratedCode.SlotValue)?>) {
    self.init(__object: ResponseObject(as: Self.__layout, schema: Schema.self, values: values))
  }
}

extension ResponseObject {
  fileprivate init(
    as view: SelectionLayout, schema: any SchemaMetadata.Type,
    values: KeyValuePairs<String, (any SlotValue)?>
  ) {
    let (layout, typename) = Self.layoutAndTypename(as: view, schema: schema, values: values)
    let object = ResponseObject.uninitialized(layout)
    for index in layout.fields.indices {
      let field = layout.fields.baseAddress! + index  // not nil, because the list is not empty
      let slot = object.slot(field.pointee.slot)
      if let value = values[field.pointee.responseKey] {
        Self.initialize(slot, field, opening: value)
      } else if let typename, field.pointee.name == "__typename" {
        Self.initialize(slot, field, with: typename)
      } else {
        field.pointee.slotType.initializeEmpty(slot, isNull: !field.pointee.isNonNull)
      }
    }
    self = object
  }

  /// Returns the layout of an object that a program creates as `view`, and the name of its type if
  /// the view or the values determine that.
  ///
  /// 1. Takes the layout of an object that fulfils no conditional view.
  /// 2. If some values have no field in it, these belong to conditional views. Takes the layout of
  ///    an object that fulfils those views too.
  private static func layoutAndTypename(
    as view: SelectionLayout, schema: any SchemaMetadata.Type,
    values: KeyValuePairs<String, (any SlotValue)?>
  ) -> (layout: ObjectLayout, typename: String?) {
    let unconditional = view.constructedPosition(schema: schema)
    let givenTypename = unconditional.typenameKey.flatMap { values[$0] as? String }
    let typename = unconditional.plan.constructedTypename ?? givenTypename
    let layout = unconditional.layout(forTypename: typename)
    let unplacedValues = values.lazy.filter { key, value in
      value != nil && layout.fieldIndex(withKey: key) == nil
    }
    guard !unplacedValues.isEmpty else { return (layout, typename) }
    let conditional = view.constructedPosition(
      schema: schema, keys: Set(unplacedValues.map(\.key)))
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
  /// The value of a key, or `nil` if the key is absent or its value is `nil`.
  fileprivate subscript(key: String) -> (any SlotValue)? { first { $0.key == key }?.value }
}

package import ApolloAPI

/// How the objects of one layout are kept in records.
package final class RecordLayout: Sendable {
  package let layout: ObjectLayout
  /// Tell the layout and its place from others without counting references to them.
  let identity: ObjectIdentifier
  let placeIdentity: ObjectIdentifier
  /// The distinct fields, in the order of the layout.
  package let shape: RecordShape
  /// Each field of the layout.
  package let fields: [RecordField]
  /// The indices of the fields that hold objects.
  package let objectFields: [Int]
  /// Whether each field of the layout has a field of the shape for itself, and the shape can be a
  /// record's. An object is not kept as it is if it, or one in it, may be complete only later
  /// (`@defer`): what it does not tell yet would take the place of what is known.
  package let isPlain: Bool
  package let resolver: CacheKeyResolver
  private let names: RecordFieldNames
  /// The values of the variables that decide what the fields of the objects in these are called.
  private let namesBelow: String
  /// The layouts of embedded objects that were met.
  private let embedded = Lock<[ObjectIdentifier: RecordLayout]>([:])

  init(_ layout: ObjectLayout, names: RecordFieldNames) {
    self.layout = layout
    identity = ObjectIdentifier(layout)
    placeIdentity = ObjectIdentifier(layout.position)
    self.names = names
    let keys = names.keys()
    var distinct: [FieldKey] = []
    var known = Set<FieldKey>(minimumCapacity: layout.fields.count)
    fields = layout.fields.map { field in
      let key = FieldKey(keys.key(of: field))
      if known.insert(key).inserted { distinct.append(key) }
      return RecordField(
        field, key: key,
        lookup: FieldLookup(
          field, of: layout, keys: keys, cacheKeyForObject: names.cacheKeyForObject))
    }
    objectFields = fields.indices.filter { [fields] in fields[$0].position != nil }
    shape = .of(distinct)
    isPlain =
      distinct.count == fields.count && distinct.count <= RecordShape.maximumFieldCount
      && !layout.position.contents.mayComeLater
    namesBelow = names.values(of: layout.fields.compactMap(\.position))
    resolver = CacheKeyResolver(layout, cacheKeyForObject: names.cacheKeyForObject)
  }

  /// Whether objects of both are kept alike, and the objects in them too.
  package func isSame(as other: RecordLayout) -> Bool {
    self === other
      || (layout === other.layout && shape === other.shape
        && namesBelow.hasSameBytes(as: other.namesBelow))
  }

  /// How an object is kept that is embedded in one of this layout.
  package func layout(ofEmbedded object: ResponseObject) -> RecordLayout {
    let key = ObjectIdentifier(object.layout)
    if let known = embedded.withLock({ $0[key] }) { return known }
    let layout = RecordLayout.make(object.layout, names: names)
    return embedded.withLock { layouts in
      if let winner = layouts[key] { return winner }
      layouts[key] = layout
      return layout
    }
  }
}

// MARK: - Making layouts

extension RecordLayout {
  /// Those that are the same for every operation value, of all stores: object layouts live as long
  /// as the program, so there are no more of these than of those.
  private static let common = Lock<[ObjectIdentifier: RecordLayout]>([:])

  /// How the objects of a layout are kept.
  ///
  /// Where no variable has a say in it, nor code of the program that may change its mind from one
  /// store to the next, it is made once for the program.
  static func make(_ layout: ObjectLayout, names: RecordFieldNames) -> RecordLayout {
    guard names.cacheKeyForObject == nil, layout.position.contents.argumentVariables.isEmpty else {
      return RecordLayout(layout, names: names)
    }
    let key = ObjectIdentifier(layout)
    if let known = common.withLock({ $0[key] }) { return known }
    guard !(layout.position.plan.schema.configuration is any FieldPolicy.Provider.Type) else {
      return RecordLayout(layout, names: names)
    }
    let made = RecordLayout(layout, names: names.withoutVariables)
    // Where a policy leads was found with the keys that the program gives objects now.
    guard made.fields.allSatisfy({ $0.lookup == nil }) else { return made }
    return common.withLock { layouts in
      if let winner = layouts[key] { return winner }
      layouts[key] = made
      return made
    }
  }
}

/// How one field of a layout is kept.
///
/// - Note: a class, so that taking it out of a layout counts one reference rather than all it has.
package final class RecordField: Sendable {
  package let key: FieldKey
  package let responseKey: String
  /// Where the field's objects stand; nil for a leaf.
  package let position: ObjectPosition?
  /// How many lists are around the values.
  package let rank: Int
  /// Whether the elements of the outermost list may not be null.
  package let hasNonNullElements: Bool
  /// Where else to look for the field's objects, if there is a policy for it.
  package let lookup: FieldLookup?

  init(_ field: FieldLayout, key: FieldKey, lookup: FieldLookup?) {
    self.key = key
    self.lookup = lookup
    responseKey = field.responseKey
    position = field.position
    rank = field.listRank
    hasNonNullElements = field.hasNonNullElements
  }
}

/// What the fields of one operation's objects are called in records, for one set of variables.
package final class RecordFieldNames: Sendable {
  private let selections: SelectionLayout
  private let variables: Variables?
  package let cacheKeyForObject: CacheKeyForObject?

  package init(
    _ selections: SelectionLayout, variables: Variables?, cacheKeyForObject: CacheKeyForObject?
  ) {
    self.selections = selections
    self.variables = variables
    self.cacheKeyForObject = cacheKeyForObject
  }

  /// The names, for one layout: they are not for several threads.
  func keys() -> FieldKeys { FieldKeys(selections, variables: variables) }

  /// The same where no variable has a say.
  var withoutVariables: RecordFieldNames {
    RecordFieldNames(selections, variables: nil, cacheKeyForObject: cacheKeyForObject)
  }

  /// The values of the variables that decide what the fields of the objects at some places are
  /// called, and of those in them: a text that differs wherever a value does.
  func values(of positions: [ObjectPosition]) -> String {
    guard let variables, !variables.isEmpty, !positions.isEmpty else { return "" }
    let names = positions.reduce(into: Set<String>()) {
      $0.formUnion($1.contents.argumentVariables)
    }
    guard !names.isEmpty else { return "" }
    var values = Variables()
    for name in names.sorted() { values[name] = variables[name] }
    return values.distinctiveText
  }
}

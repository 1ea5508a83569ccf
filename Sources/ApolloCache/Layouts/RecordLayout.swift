package import ApolloAPI

/// The mapping from the objects of one layout to record fields.
package final class RecordLayout: Sendable {
  package let layout: ObjectLayout
  /// The identities of the layout and of its position, which are compared without counting
  /// references.
  let identity: ObjectIdentifier
  let positionIdentity: ObjectIdentifier
  /// The distinct fields, in the order of the layout.
  package let shape: RecordShape
  /// The fields of the layout.
  package let fields: [RecordField]
  /// The indices of the fields with objects.
  package let objectFields: [Int]
  /// The indices of the fields with pages of lists that other pages can follow.
  let listFields: [Int]
  /// Indicates whether objects can be kept as they were decoded: each field of the layout is one
  /// field of the shape, and the shape may be a record's.
  ///
  /// An object that `@defer` may complete later, itself or inside, is not kept: its missing fields
  /// would replace known ones.
  package let isPlain: Bool
  /// Indicates whether `@defer` may complete an object later, itself or inside.
  let mayBeIncomplete: Bool
  package let resolver: CacheKeyResolver
  private let names: RecordFieldNames
  /// The values of the variables on which the field keys of the objects inside depend.
  private let namesBelow: String
  /// The layouts of the embedded objects that have occurred.
  private let embedded = Lock<[ObjectIdentifier: RecordLayout]>([:])

  init(_ layout: ObjectLayout, names: RecordFieldNames) {
    self.layout = layout
    identity = ObjectIdentifier(layout)
    positionIdentity = ObjectIdentifier(layout.position)
    self.names = names
    let keys = names.keys()
    var distinct: [FieldKey] = []
    var known = Set<FieldKey>(minimumCapacity: layout.fields.count)
    fields = layout.fields.map { field in
      let pages = ListPages(field, of: layout, keys: keys)
      let key = pages?.key ?? FieldKey(keys.key(of: field))
      if known.insert(key).inserted { distinct.append(key) }
      return RecordField(
        field, key: key,
        lookup: pages == nil
          ? FieldLookup(
            field, of: layout, keys: keys, cacheKeyForObject: names.cacheKeyForObject) : nil,
        pages: pages)
    }
    listFields = fields.indices.filter { [fields] in fields[$0].pages?.direction != nil }
    objectFields = fields.indices.filter { [fields] in fields[$0].position != nil }
    shape = .of(distinct)
    mayBeIncomplete = layout.position.contents.mayComeLater
    isPlain =
      distinct.count == fields.count && distinct.count <= RecordShape.maximumFieldCount
      && !mayBeIncomplete
    namesBelow = names.values(of: layout.fields.compactMap(\.position))
    resolver = CacheKeyResolver(layout, cacheKeyForObject: names.cacheKeyForObject)
  }

  /// Returns whether both map objects, and the objects inside of them, to the same fields.
  package func isSame(as other: RecordLayout) -> Bool {
    self === other
      || (layout === other.layout && shape === other.shape
        && namesBelow.hasSameBytes(as: other.namesBelow))
  }

  /// Returns the layout of an object that is embedded in one of this layout.
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
  /// The layouts that are the same for all variables and all stores. Object layouts live as long as
  /// the program, so these may too.
  private static let common = Lock<[ObjectIdentifier: RecordLayout]>([:])

  /// Returns the record layout for an object layout.
  ///
  /// If neither variables nor code of the program influence it, it is made once for the program.
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
    // The lookup of a policy depends on keys that the program may decide differently later.
    guard made.fields.allSatisfy({ $0.lookup == nil }) else { return made }
    return common.withLock { layouts in
      if let winner = layouts[key] { return winner }
      layouts[key] = made
      return made
    }
  }
}

/// The mapping from one field of a layout to a record field.
///
/// - Note: It is a class so that copying it counts one reference instead of one for each property.
package final class RecordField: Sendable {
  package let key: FieldKey
  package let responseKey: String
  /// The position of the field's objects, or `nil` for a leaf.
  package let position: ObjectPosition?
  /// The depth of the lists around the values.
  package let rank: Int
  /// Indicates whether the elements of the outermost list may not be null.
  package let hasNonNullElements: Bool
  /// Indicates whether the values may not be null.
  package let isNonNull: Bool
  /// Bit *k* means that a value *k* lists deep may be null.
  private let nullableLevels: UInt32
  /// The lookup of the field's policy, if it has one.
  package let lookup: FieldLookup?
  /// The page of a list that the field has, if a policy applies to it.
  let pages: ListPages?
  /// The changes of lists and records that the operation asks for with the field.
  let listEdits: [ListEdit]

  init(_ field: FieldLayout, key: FieldKey, lookup: FieldLookup?, pages: ListPages? = nil) {
    self.key = key
    self.lookup = lookup
    self.pages = pages
    listEdits = field.listEdits
    responseKey = field.responseKey
    position = field.position
    rank = field.listRank
    hasNonNullElements = field.hasNonNullElements
    isNonNull = field.isNonNull
    let type = field.type
    nullableLevels = (0...field.listRank).reduce(0) { levels, level in
      type.isNonNull(at: level) ? levels : levels | 1 << UInt32(level)
    }
  }

  /// Returns whether a value so many lists deep may be null.
  func mayBeNull(at level: Int) -> Bool { nullableLevels >> UInt32(level) & 1 == 1 }
}

/// The cache field keys of one operation's fields, for one set of variables.
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

  /// Creates the keys for one layout. They must be used by one thread.
  func keys() -> FieldKeys { FieldKeys(selections, variables: variables) }

  /// The names of fields that do not depend on variables.
  var withoutVariables: RecordFieldNames {
    RecordFieldNames(selections, variables: nil, cacheKeyForObject: cacheKeyForObject)
  }

  /// Returns the values of the variables on which the field keys of the objects at these positions,
  /// and inside of them, depend. Different values have different texts.
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

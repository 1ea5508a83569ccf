package import ApolloAPI

/// How everything that one operation or fragment selects is kept in records, for one set of
/// variables.
///
/// Made on the way, as layouts turn up. It serves one walk at a time; ``RecordPlans`` keeps it for
/// the next.
package final class RecordPlan {
  /// Where the root object stands.
  package let root: Place
  private let keys: FieldKeys
  let cacheKeyForObject: CacheKeyForObject?
  private var layouts: [ObjectIdentifier: RecordLayout] = [:]
  private var lastLayout: RecordLayout?
  private var places: [ReadingPlace?] = []

  package init(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    cacheKeyForObject: CacheKeyForObject?
  ) {
    root = selections.plan(schema: schema, variables: variables).place(for: [selections])
    keys = FieldKeys(selections, variables: variables)
    self.cacheKeyForObject = cacheKeyForObject
  }

  /// How objects of a layout are kept.
  package func layout(_ layout: ObjectLayout) -> RecordLayout {
    if let lastLayout, lastLayout.layout === layout { return lastLayout }
    let record =
      layouts[ObjectIdentifier(layout)]
      ?? RecordLayout(layout, keys: keys, cacheKeyForObject: cacheKeyForObject)
    layouts[ObjectIdentifier(layout)] = record
    lastLayout = record
    return record
  }

  /// How the objects at a place are kept whose record tells these fields.
  package func layout(at place: Place, for fields: FieldMap) -> RecordLayout {
    guard place.staticTypename == nil else { return layout(at: place, forTypename: nil) }
    guard case .string(let typename)? = fields[.typename] else {
      return layout(at: place, forTypename: nil)
    }
    return layout(at: place, forTypename: typename)
  }

  package func layout(at place: Place, forTypename typename: String?) -> RecordLayout {
    while places.count <= place.number { places.append(nil) }
    if let known = places[place.number]?.layout(forTypename: typename) { return known }
    let layout = layout(place.layout(forTypename: typename))
    places[place.number, default: ReadingPlace()].remember(layout, forTypename: typename)
    return layout
  }

  /// The record that an object is, or nil if it has no key.
  package func key(of object: ResponseObject, _ layout: RecordLayout) -> RecordKey? {
    layout.resolver.key(of: object)
  }
}

/// The layouts that the objects at one place had lately, by the names of their types.
private struct ReadingPlace {
  private var layouts: [(typename: String?, layout: RecordLayout)] = []

  func layout(forTypename typename: String?) -> RecordLayout? {
    layouts.first { $0.typename == typename }?.layout
  }

  /// A server can make up any number of type names: only so many are remembered.
  mutating func remember(_ layout: RecordLayout, forTypename typename: String?) {
    if layouts.count == 8 { layouts.removeFirst() }
    layouts.append((typename, layout))
  }
}

extension [ReadingPlace?] {
  fileprivate subscript(index: Int, default place: @autoclosure () -> ReadingPlace) -> ReadingPlace
  {
    get { self[index] ?? place() }
    set { self[index] = newValue }
  }
}

/// How the objects of one layout are kept in records.
package final class RecordLayout {
  package let layout: ObjectLayout
  /// The distinct fields, in the order of the layout.
  package let shape: RecordShape
  /// Each field of the layout.
  package let fields: [RecordField]
  /// Whether each field of the layout has a field of the shape for itself, and the shape can be a
  /// record's.
  package let isPlain: Bool
  package let resolver: CacheKeyResolver
  /// Where the fields stand in records of other shapes that were met; −1 where they have none.
  private var positions: [RecordShape: [Int]] = [:]
  private var lastPositions: (shape: RecordShape, positions: [Int])

  init(_ layout: ObjectLayout, keys: FieldKeys, cacheKeyForObject: CacheKeyForObject?) {
    self.layout = layout
    var distinct: [FieldKey] = []
    var known: [FieldKey: Int] = [:]
    fields = layout.fields.map { field in
      let key = FieldKey(keys.key(of: field))
      if known[key] == nil {
        known[key] = distinct.count
        distinct.append(key)
      }
      return RecordField(
        key: key, responseKey: field.responseKey, place: field.place, rank: field.listRank,
        hasNonNullElements: field.hasNonNullElements,
        lookup: FieldLookup(
          field, of: layout, keys: keys, cacheKeyForObject: cacheKeyForObject))
    }
    shape = .of(distinct)
    isPlain = distinct.count == fields.count && distinct.count <= RecordShape.maximumFieldCount
    resolver = CacheKeyResolver(layout, cacheKeyForObject: cacheKeyForObject)
    lastPositions = (shape, fields.map { known[$0.key] ?? -1 })  // each is known
  }

  /// Where the layout's fields stand in a record of a shape; −1 where they have none.
  package func positions(in shape: RecordShape) -> [Int] {
    if lastPositions.shape === shape { return lastPositions.positions }
    let found = positions[shape] ?? fields.map { shape.position(of: $0.key) ?? -1 }
    if positions.count >= 64 { positions.removeAll() }  // shapes with arguments can be many
    positions[shape] = found
    lastPositions = (shape, found)
    return found
  }
}

/// How one field of a layout is kept.
package struct RecordField {
  package let key: FieldKey
  package let responseKey: String
  /// Where the field's objects stand; nil for a leaf.
  package let place: Place?
  /// How many lists are around the values.
  package let rank: Int
  /// Whether the elements of the outermost list may not be null.
  package let hasNonNullElements: Bool
  /// Where else to look for the field's objects, if there is a policy for it.
  package let lookup: FieldLookup?
}

package import ApolloAPI

/// How everything that one operation or fragment selects is kept in records, for one set of
/// variables.
///
/// Made on the way, as layouts turn up. It serves one walk at a time; ``RecordPlans`` keeps it for
/// the next.
package final class RecordPlan {
  /// Where the root object stands.
  package let root: Place
  private let names: RecordNames
  private let rootIdentity: ObjectIdentifier
  private var places: [PlannedPlace] = []
  /// The layouts that were met last, each where its address leads to: objects of different types
  /// take turns.
  ///
  /// Unchecked because the runtime would note who has access to it, once for each object, and the few
  /// lines that have call nobody meanwhile.
  @exclusivity(unchecked)
  private var recent = ContiguousArray<RecordLayout?>(repeating: nil, count: recentCount)
  private static let recentCount = 16
  /// How many objects the last reading had to remember: likely as many as the next one will.
  var knownObjectCount = 0
  /// The memory for rows of the store that the plan is of.
  let buffers: RowBuffers
  private var positions: [ShapePair: [Int]] = [:]
  private var lastPositions: (pair: ShapePair, positions: [Int])?

  init(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    cacheKeyForObject: CacheKeyForObject?, buffers: RowBuffers
  ) {
    self.buffers = buffers
    root = selections.plan(schema: schema, variables: variables).place(showing: selections)
    rootIdentity = ObjectIdentifier(root)
    names = RecordNames(selections, variables: variables, cacheKeyForObject: cacheKeyForObject)
  }

  package var cacheKeyForObject: CacheKeyForObject? { names.cacheKeyForObject }

  /// How an object is kept.
  @inline(__always)
  package func layout(of object: ResponseObject) -> RecordLayout {
    let identity = object.layoutIdentity
    if let known = recent[Self.recentIndex(of: identity)], known.identity == identity {
      return known
    }
    return layout(object.layout)
  }

  /// How objects of a layout are kept.
  @inline(never)
  package func layout(_ layout: ObjectLayout) -> RecordLayout {
    let index = Self.recentIndex(of: ObjectIdentifier(layout))
    if let known = recent[index], known.layout === layout { return known }
    let number = layout.place.number
    while places.count <= number { places.append(PlannedPlace()) }
    let record = places[number].layout(layout) ?? .make(layout, names: names)
    places[number].remember(record)
    recent[index] = record
    return record
  }

  /// Where a layout is among the recent ones. Layouts take a few hundred bytes each.
  @inline(__always)
  private static func recentIndex(of layout: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: layout)
    return Int(truncatingIfNeeded: (address >> 4 ^ address >> 8) & UInt(recentCount - 1))
  }

  /// Whether the root object is of this layout.
  @inline(__always)
  func isRoot(_ layout: RecordLayout) -> Bool { layout.placeIdentity == rootIdentity }

  /// How the objects at a place are kept whose record tells these fields.
  package func layout(at place: Place, for fields: FieldMap) -> RecordLayout {
    if case .object(let kept) = fields.storage, kept.object.layout.place === place {
      return layout(kept.object.layout)
    }
    return layout(at: place, forTypename: place.staticTypename == nil ? fields.typename : nil)
  }

  package func layout(at place: Place, forTypename typename: String?) -> RecordLayout {
    while places.count <= place.number { places.append(PlannedPlace()) }
    if let known = places[place.number].layout(forTypename: typename) { return known }
    let layout = layout(place.layout(forTypename: typename))
    places[place.number].remember(layout, forTypename: typename)
    return layout
  }

  /// How the objects at a place are made of rows of a shape.
  ///
  /// - Parameters:
  ///   - place: where the objects stand.
  ///   - typename: what the row says of their type; nil where the schema leaves no choice.
  ///   - shape: of the row.
  /// - Returns: the columns, which are remembered.
  func columns(
    at place: Place, forTypename typename: UnsafeRawBufferPointer?, _ shape: RecordShape
  ) -> RowColumns {
    while places.count <= place.number { places.append(PlannedPlace()) }
    if let known = places[place.number].columns(forTypename: typename, shape) { return known }
    let layout = layout(
      at: place, forTypename: typename.map { String(decoding: $0, as: UTF8.self) })
    let columns = RowColumns(layout, shape, typename: typename)
    places[place.number].remember(columns)
    return columns
  }

  /// The record that an object is, or nil if it has no key.
  package func key(of object: ResponseObject, _ layout: RecordLayout) -> RecordKey? {
    layout.resolver.key(of: object)
  }
}

// MARK: - Records of other shapes

private struct ShapePair: Hashable {
  let wanted: RecordLayout
  let known: RecordShape

  static func == (left: ShapePair, right: ShapePair) -> Bool {
    left.wanted === right.wanted && left.known === right.known
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(wanted))
    hasher.combine(known)
  }
}

extension RecordPlan {
  /// Where a layout's fields stand in a record of some shape; −1 where they have none.
  package func positions(of layout: RecordLayout, in shape: RecordShape) -> [Int] {
    let pair = ShapePair(wanted: layout, known: shape)
    if let lastPositions, lastPositions.pair == pair { return lastPositions.positions }
    let found = positions[pair] ?? layout.fields.map { shape.position(of: $0.key) ?? -1 }
    if positions.count >= 256 { positions.removeAll() }  // shapes with arguments can be many
    positions[pair] = found
    lastPositions = (pair, found)
    return found
  }
}

/// The layouts that the objects at one place had lately.
private struct PlannedPlace {
  private var layouts: [RecordLayout] = []
  private var byTypename: [(typename: String?, layout: RecordLayout)] = []
  private var columns: [RowColumns] = []

  func layout(_ layout: ObjectLayout) -> RecordLayout? {
    layouts.first { $0.layout === layout }
  }

  /// There is one layout for each type that the generated code knows.
  mutating func remember(_ layout: RecordLayout) {
    if self.layout(layout.layout) == nil { layouts.append(layout) }
  }

  func layout(forTypename typename: String?) -> RecordLayout? {
    byTypename.first { $0.typename == typename }?.layout
  }

  /// A server can make up any number of type names: only so many are remembered.
  mutating func remember(_ layout: RecordLayout, forTypename typename: String?) {
    if byTypename.count == 8 { byTypename.removeFirst() }
    byTypename.append((typename, layout))
  }

  func columns(
    forTypename typename: UnsafeRawBufferPointer?, _ shape: RecordShape
  ) -> RowColumns? {
    columns.first { $0.areColumns(of: shape, typename: typename) }
  }

  /// Shapes with arguments can be many too.
  mutating func remember(_ new: RowColumns) {
    if columns.count == 8 { columns.removeFirst() }
    columns.append(new)
  }
}

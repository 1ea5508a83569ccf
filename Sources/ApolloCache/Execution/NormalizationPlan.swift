package import ApolloAPI

/// How everything that one operation or fragment selects is kept in records, for one set of
/// variables.
///
/// Made on the way, as layouts turn up. It serves one walk at a time; ``NormalizationPlanPool`` keeps it for
/// the next.
package final class NormalizationPlan {
  /// Where the root object stands.
  package let root: ObjectPosition
  private let names: RecordFieldNames
  private let rootIdentity: ObjectIdentifier
  private var positions: [PositionLayouts] = []
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
  private var fieldIndices: [ShapePair: [Int]] = [:]
  private var lastFieldIndices: (pair: ShapePair, indices: [Int])?

  init(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    cacheKeyForObject: CacheKeyForObject?, buffers: RowBuffers
  ) {
    self.buffers = buffers
    root = selections.plan(schema: schema, variables: variables).position(showing: selections)
    rootIdentity = ObjectIdentifier(root)
    names = RecordFieldNames(selections, variables: variables, cacheKeyForObject: cacheKeyForObject)
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
    let number = layout.position.number
    while positions.count <= number { positions.append(PositionLayouts()) }
    let record = positions[number].layout(layout) ?? .make(layout, names: names)
    positions[number].remember(record)
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
  package func layout(at position: ObjectPosition, for fields: FieldMap) -> RecordLayout {
    if case .object(let kept) = fields.storage, kept.object.layout.position === position {
      return layout(kept.object.layout)
    }
    return layout(at: position, forTypename: position.staticTypename == nil ? fields.typename : nil)
  }

  package func layout(at position: ObjectPosition, forTypename typename: String?) -> RecordLayout {
    while positions.count <= position.number { positions.append(PositionLayouts()) }
    if let known = positions[position.number].layout(forTypename: typename) { return known }
    let layout = layout(position.layout(forTypename: typename))
    positions[position.number].remember(layout, forTypename: typename)
    return layout
  }

  /// How the objects at a place are made of rows of a shape.
  ///
  /// - Parameters:
  ///   - position: where the objects stand.
  ///   - typename: what the row says of their type; nil where the schema leaves no choice.
  ///   - shape: of the row.
  /// - Returns: the columns, which are remembered.
  func columns(
    at position: ObjectPosition, forTypename typename: UnsafeRawBufferPointer?, _ shape: RecordShape
  ) -> RowColumns {
    while positions.count <= position.number { positions.append(PositionLayouts()) }
    if let known = positions[position.number].columns(forTypename: typename, shape) { return known }
    let layout = layout(
      at: position, forTypename: typename.map { String(decoding: $0, as: UTF8.self) })
    let columns = RowColumns(layout, shape, typename: typename)
    positions[position.number].remember(columns)
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

extension NormalizationPlan {
  /// Where a layout's fields stand in a record of some shape; −1 where they have none.
  package func fieldIndices(of layout: RecordLayout, in shape: RecordShape) -> [Int] {
    let pair = ShapePair(wanted: layout, known: shape)
    if let lastFieldIndices, lastFieldIndices.pair == pair { return lastFieldIndices.indices }
    let found = fieldIndices[pair] ?? layout.fields.map { shape.position(of: $0.key) ?? -1 }
    if fieldIndices.count >= 256 { fieldIndices.removeAll() }  // shapes with arguments can be many
    fieldIndices[pair] = found
    lastFieldIndices = (pair, found)
    return found
  }
}

/// The layouts that the objects at one place had lately.
private struct PositionLayouts {
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

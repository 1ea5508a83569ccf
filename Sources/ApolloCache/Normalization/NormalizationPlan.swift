package import ApolloAPI

/// The mapping from the object layouts of one operation or fragment to record fields, for one set
/// of variables.
///
/// It grows as layouts occur. One reading or writing uses it at a time; ``NormalizationPlanPool``
/// keeps it for the next.
package final class NormalizationPlan {
  /// The position of the root object.
  package let root: ObjectPosition
  private let names: RecordFieldNames
  private let rootIdentity: ObjectIdentifier
  private var positions: [PositionLayouts] = []
  /// The latest layouts, each at an index that is computed from its address, because objects of
  /// different types alternate.
  ///
  /// Exclusivity is not checked, because the check would run once for each object, and no code that
  /// accesses it calls out meanwhile.
  @exclusivity(unchecked)
  private var recent = ContiguousArray<RecordLayout?>(repeating: nil, count: recentCount)
  private static let recentCount = 16
  /// The number of objects that the last reading remembered, as an estimate for the next.
  var knownObjectCount = 0
  /// The row buffers of the store to which the plan belongs.
  let buffers: RowBuffers
  /// Indicates whether code of the program decides where fields without a value lead.
  let hasPolicyProvider: Bool
  /// Indicates whether one of the layouts has fields with pages that others can follow.
  private(set) var mergesPages = false
  /// The mappings from the objects of other selections to the layouts of this one. Exclusivity is
  /// not checked for the same reason.
  @exclusivity(unchecked)
  var translations = LayoutTranslations()
  private var fieldIndices: [ShapePair: [Int]] = [:]
  private var lastFieldIndices: (pair: ShapePair, indices: [Int])?

  init(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    cacheKeyForObject: CacheKeyForObject?, buffers: RowBuffers
  ) {
    self.buffers = buffers
    hasPolicyProvider = schema.configuration is any FieldPolicy.Provider.Type
    root = selections.plan(schema: schema, variables: variables).position(showing: selections)
    rootIdentity = ObjectIdentifier(root)
    names = RecordFieldNames(selections, variables: variables, cacheKeyForObject: cacheKeyForObject)
  }

  package var cacheKeyForObject: CacheKeyForObject? { names.cacheKeyForObject }

  /// Returns the record layout of an object.
  @inline(__always)
  package func layout(of object: ResponseObject) -> RecordLayout {
    let identity = object.layoutIdentity
    if let known = recent[Self.recentIndex(of: identity)], known.identity == identity {
      return known
    }
    return layout(object.layout)
  }

  /// Returns the record layout for an object layout.
  @inline(never)
  package func layout(_ layout: ObjectLayout) -> RecordLayout {
    let index = Self.recentIndex(of: ObjectIdentifier(layout))
    if let known = recent[index], known.layout === layout { return known }
    let number = layout.position.number
    while positions.count <= number { positions.append(PositionLayouts()) }
    let record = positions[number].layout(layout) ?? .make(layout, names: names)
    positions[number].remember(record)
    if !record.listFields.isEmpty { mergesPages = true }
    recent[index] = record
    return record
  }

  /// Returns the index of a layout among the recent ones. Layouts are a few hundred bytes apart.
  @inline(__always)
  private static func recentIndex(of layout: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: layout)
    return Int(truncatingIfNeeded: (address >> 4 ^ address >> 8) & UInt(recentCount - 1))
  }

  /// Returns whether the root object has this layout.
  @inline(__always)
  func isRoot(_ layout: RecordLayout) -> Bool { layout.positionIdentity == rootIdentity }

  /// Returns the record layout of an object at a position whose record has these fields.
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

  /// Returns the columns from which the objects at a position are made of rows of a shape.
  ///
  /// - Parameters:
  ///   - position: The position of the objects.
  ///   - typename: The type in the row, or `nil` if the schema leaves no choice.
  ///   - shape: The shape of the row.
  /// - Returns: The columns, which the plan keeps.
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

  /// Returns the key of an object, or `nil` if it has none.
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
  /// Returns the positions of a layout's fields in a record of some shape, −1 for missing fields.
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

/// The latest layouts of the objects at one position.
private struct PositionLayouts {
  private var layouts: [RecordLayout] = []
  private var byTypename: [(typename: String?, layout: RecordLayout)] = []
  private var columns: [RowColumns] = []

  func layout(_ layout: ObjectLayout) -> RecordLayout? {
    layouts.first { $0.layout === layout }
  }

  /// Adds a layout. There is one for each type that the generated code knows.
  mutating func remember(_ layout: RecordLayout) {
    if self.layout(layout.layout) == nil { layouts.append(layout) }
  }

  func layout(forTypename typename: String?) -> RecordLayout? {
    byTypename.first { $0.typename == typename }?.layout
  }

  /// Adds the layout for a type name. The number is limited, because a server can send any name.
  mutating func remember(_ layout: RecordLayout, forTypename typename: String?) {
    if byTypename.count == 8 { byTypename.removeFirst() }
    byTypename.append((typename, layout))
  }

  func columns(
    forTypename typename: UnsafeRawBufferPointer?, _ shape: RecordShape
  ) -> RowColumns? {
    columns.first { $0.areColumns(of: shape, typename: typename) }
  }

  /// Adds columns. The number is limited, because there may be many shapes with arguments.
  mutating func remember(_ new: RowColumns) {
    if columns.count == 8 { columns.removeFirst() }
    columns.append(new)
  }
}

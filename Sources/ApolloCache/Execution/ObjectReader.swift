package import ApolloAPI

/// A reader that makes response objects from records, with the layouts that the decoder would use.
///
/// The steps for one record at one position:
///
/// 1. If the object was read before at this position, return it.
/// 2. If the record is not loaded yet, note its key and skip it.
/// 3. If the record is kept as an object of another layout, translate that; see
///    ``LayoutTranslation``.
/// 4. Otherwise find the record's fields: in a table, in a row, or through a snapshot.
/// 5. Record the dependency on all fields that the selection needs.
/// 6. If the fields are a decoded object of the same layout, check the objects inside of it and
///    return it, or a copy with the newer ones.
/// 7. Otherwise build a new object, field by field. References are read by these steps.
///
/// The recursion is as deep as the selections, never as deep as the data, so cycles of references
/// are harmless. A value that does not fit the selection is a miss.
package struct ObjectReader<Records: RecordSource> {
  let records: Records
  let plan: NormalizationPlan
  /// Indicates whether a field that failed reads as `null` with its error.
  var servesFailures: Bool
  /// Indicates whether fields that may be null can be missing.
  let allowsMissingFields: Bool
  /// Indicates whether an element of a list that failed reads as `nil`, if it may be null.
  let leavesOutFailedElements: Bool
  /// Indicates whether values that may be null can be missing, and are misses nevertheless.
  let keepsPartialData: Bool
  /// Indicates whether partial data also lacks values that must not be null. Then it is for looking
  /// at what is missing, and for no model.
  let keepsGaps: Bool
  private let readsPagesAlone: Bool
  /// The pages of merged lists that the reading takes over, and leaves to the next one.
  let reuse: PageReuse?
  /// Indicates whether a page behind the first one of its list is being read.
  var isInPage = false
  /// The number of that page, or 0 for everything that no later reading takes over. The objects of
  /// one page are not shown in another: what they were read from is noted for their page alone.
  var pageNumber = 0
  /// The number of pages that the next reading may take over.
  var pageCount = 0

  package internal(set) var dependencies = Dependencies()
  /// The misses and served failures. Their paths are reversed during the reading: each object
  /// appends the step that leads to the object inside of it.
  var issues = ReadIssues()
  /// The record that is being read, for its misses.
  ///
  /// Its references are not counted, because that would take a tenth of a reading: each caller
  /// keeps the key alive until it restores the outer record.
  private var currentRecord = Unmanaged.passUnretained(RecordKey.queryRoot.identity)
  /// The field of the record that embeds the current object, if there is one.
  var field: FieldKey?
  var known = RecentObjects()
  /// The records that must be loaded before the selection can be read completely.
  var unloaded = UnloadedRecords()
  /// The number of records that were read without looking in `known`.
  private var visitCount = 0
  /// The position in the response, if the program's policies for fields depend on it.
  var path: [PathEntry] = []
  let tracksPath: Bool
  /// The number of policies that were given a path.
  private(set) var pathUseCount = 0
  /// The row buffers that are free. Each record that is being read has its own, because records
  /// nest.
  var spareBuffers: [RowBuffer] = []
  /// The columns of the last row at each position, which the next row probably has too.
  var lastColumns: ContiguousArray<ColumnCache> = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - records: The records to read.
  ///   - plan: The normalization plan of the selection. The reader is its only user.
  ///   - servesFailures: Whether a field that failed on the server reads as `null` with its error.
  ///     Otherwise it is a miss.
  ///   - allowsMissingFields: Whether fields that may be null can be missing.
  ///   - leavesOutFailedElements: Whether an element of a list that failed reads as `nil`, without
  ///     an error, if it may be null.
  ///   - keepsPartialData: Whether values that may be null can be missing, and are misses
  ///     nevertheless.
  ///   - keepsGaps: Whether such data also lacks values that must not be null.
  ///   - readsPagesAlone: Whether the pages of merged lists are read alone.
  ///   - reuse: The pages of merged lists that the reading takes over, and leaves to the next one.
  package init(
    _ records: Records, plan: NormalizationPlan, servesFailures: Bool,
    allowsMissingFields: Bool = false, leavesOutFailedElements: Bool = false,
    keepsPartialData: Bool = false, keepsGaps: Bool = false, readsPagesAlone: Bool = false,
    reuse: PageReuse? = nil
  ) {
    self.readsPagesAlone = readsPagesAlone
    // The place of a page in the response may decide what is read.
    self.reuse = plan.hasPolicyProvider ? nil : reuse
    self.keepsPartialData = keepsPartialData
    self.keepsGaps = keepsGaps
    self.records = records
    self.plan = plan
    self.servesFailures = servesFailures
    self.allowsMissingFields = allowsMissingFields
    self.leavesOutFailedElements = leavesOutFailedElements
    tracksPath = plan.hasPolicyProvider
  }

  /// Reads the root object of the plan from a record.
  ///
  /// - Returns: The object, or `nil` if something is missing.
  /// - Throws: The errors of the cache.
  package mutating func root(from key: RecordKey) throws -> ResponseObject? {
    let object = try rootObject(from: key)
    // Data without a single value is not partial, but missing.
    if keepsPartialData, let object, !misses.isEmpty, !object.hasFields { return nil }
    return object
  }

  private mutating func rootObject(from key: RecordKey) throws -> ResponseObject? {
    guard Records.hasRows else { return try object(of: key, at: plan.root) }
    spareBuffers = plan.buffers.take()
    known.reserveCapacity(plan.knownObjectCount)
    defer {
      plan.knownObjectCount = known.count
      plan.buffers.recycle(spareBuffers)
      spareBuffers = []
    }
    return try object(of: key, at: plan.root)
  }
}

// MARK: - Objects

extension ObjectReader {
  mutating func object(of key: RecordKey, at position: ObjectPosition) throws -> ResponseObject? {
    guard remembersObjects else {
      visitCount &+= 1
      return try newObject(of: key, at: position)
    }
    let known = key.identity.withBytes {
      self.known.object(
        ofRecord: $0, hash: key.identity.hash, atPosition: position.number, page: pageNumber)
    }
    return try known ?? unknownObject(of: key, at: position)
  }

  /// Indicates whether objects are remembered as they are read.
  ///
  /// Looking up a record in a table is as fast as remembering its object. But records that refer to
  /// several others each can occur exponentially often, so many visits make remembering worthwhile.
  var remembersObjects: Bool { Records.canReadPartially || visitCount > Self.mostVisits }

  private static var mostVisits: Int { 1 << 16 }

  /// Counts the visit of an object that is kept as it was decoded.
  @inline(__always)
  mutating func noteVisit() { visitCount &+= 1 }

  /// Reads the object of a record that was not read before at a position.
  mutating func unknownObject(of key: RecordKey, at position: ObjectPosition) throws
    -> ResponseObject?
  {
    let counts = (issues.count, pathUseCount)
    let object = try newObject(of: key, at: position)
    // An object with issues is read again, because each position reports them with its own path;
    // so is one whose path decided its contents.
    if let object, (issues.count, pathUseCount) == counts {
      known.insert(object, ofRecord: key, atPosition: position.number, page: pageNumber)
    }
    return object
  }

  private mutating func newObject(of key: RecordKey, at position: ObjectPosition) throws
    -> ResponseObject?
  {
    let counts = issueCounts
    let object = try storedObject(of: key, at: position)
    guard mergesPages, let object else { return object }
    return try merged(object, among: .record(key), since: counts)
  }

  private mutating func storedObject(of key: RecordKey, at position: ObjectPosition) throws
    -> ResponseObject?
  {
    record = key
    field = nil
    guard records.isLoaded(key) else {
      unloaded.insert(key)
      return nil
    }
    if let kept = records.kept(key), kept.isElsewhere(than: position) {
      let translation = plan.translation(of: kept, at: position)
      dependencies.insert(translation.wanted, of: key)
      return try kept.withObject { try object(of: $0, translation) }
    }
    var stored: FieldMap?
    if Records.hasRows {
      switch try Records.readRow(of: key, at: position, with: &self) {
      case .object(let object): return object
      case .fields: stored = try fields(of: key, at: position)
      case .absent: break
      }
    } else {
      stored = try fields(of: key, at: position)
    }
    guard let fields = stored ?? emptyRoot(key, at: position) else {
      dependencies.insert(plan.layout(at: position, forTypename: nil), of: key)
      miss(.noRecord, .typename)
      return nil
    }
    let layout = plan.layout(at: position, for: fields)
    dependencies.insert(layout, of: key)
    return try object(of: fields, layout)
  }

  /// Returns the fields of a record. If its type is known from the schema, only the fields of that
  /// type are read: a root may have a million.
  private func fields(of key: RecordKey, at position: ObjectPosition) throws -> FieldMap? {
    guard position.staticTypename != nil, Records.canReadPartially else {
      return try records.fields(of: key)
    }
    return try records.fields(
      of: key, among: plan.layout(at: position, forTypename: nil).shape.fields)
  }

  /// Returns empty fields for an unknown root whose fields may be missing, or whose field policies
  /// may lead to records.
  private func emptyRoot(_ key: RecordKey, at position: ObjectPosition) -> FieldMap? {
    guard key.isRoot else { return nil }
    guard !allowsMissingFields else { return FieldMap() }
    let hasLookups = plan.layout(at: position, forTypename: nil).fields.contains {
      $0.lookup != nil
    }
    return hasLookups ? FieldMap() : nil
  }

  mutating func object(of fields: FieldMap, _ layout: RecordLayout) throws
    -> ResponseObject?
  {
    if let kept = fields.object, kept.layout.isSame(as: layout) {
      return try current(kept.object, layout)
    }
    return try assemble(layout, from: fields)
  }

  private mutating func assemble(_ layout: RecordLayout, from fields: FieldMap) throws
    -> ResponseObject?
  {
    if case .object(let kept) = fields.storage {
      defer { withExtendedLifetime(fields) {} }  // the owner of what is read without counting
      let kept = KeptObject(kept)
      let translation = plan.translation(of: kept, at: layout.layout.position)
      return try kept.withObject { try object(of: $0, translation) }
    }
    var builder = ResponseObjectBuilder(layout.layout)
    var isComplete = true
    switch fields.storage {
    case .object: return nil  // read above
    case .shaped(layout.shape, let values) where layout.isPlain:
      for index in values.indices {
        if try !set(index, to: values[index], layout, in: &builder) { isComplete = false }
      }
    case .shaped(let shape, let values):
      let positions = plan.fieldIndices(of: layout, in: shape)
      for index in layout.fields.indices {
        let position = positions[index]
        let value = position < 0 ? nil : values[position]
        if try !set(index, to: value, layout, in: &builder) { isComplete = false }
      }
    case .overflow(let map):
      for index in layout.fields.indices {
        if try !set(index, to: map[layout.fields[index].key], layout, in: &builder) {
          isComplete = false
        }
      }
    }
    return isComplete ? finished(builder) : nil
  }

  /// Sets a field. Returns `false` if something is missing or does not fit.
  @inline(__always)
  mutating func set(
    _ index: Int, to value: CacheValue?, _ layout: RecordLayout,
    in builder: inout ResponseObjectBuilder
  ) throws -> Bool {
    let contents: SlotContents
    switch value {
    case .string(let text): contents = .string(text)
    case .int(let number): contents = SlotContents(number)
    case .double(let number): contents = .double(number)
    case .bool(let bool): contents = .bool(bool)
    case .null: contents = .null
    default:
      guard let other = try self.contents(of: value, layout.fields[index]) else {
        return mayBeNil(layout.fields[index])
      }
      if case .missing = other { return true }
      contents = other
    }
    if builder.set(index, contents) { return true }
    // A value that the type of a leaf cannot read counts as missing.
    if layout.fields[index].position == nil, mayBeMissing(layout.fields[index]) { return true }
    mismatch(contents, layout.fields[index])
    return mayBeNil(layout.fields[index])
  }

  /// Returns whether a field may be missing in the object that is read, and is no miss.
  private func mayBeMissing(_ field: RecordField) -> Bool {
    allowsMissingFields && !field.isNonNull
  }

  /// Returns whether an element of a list that failed reads as `nil`, and is no miss.
  ///
  /// `level`: The number of lists around the element.
  func leavesOutFailure(_ field: RecordField, level: Int) -> Bool {
    leavesOutFailedElements && field.mayBeNull(at: level)
  }

  /// Returns whether a field whose value is a miss reads as `nil`. Otherwise its object is missing.
  func mayBeNil(_ field: RecordField) -> Bool {
    keepsPartialData && (!field.isNonNull || keepsGaps)
  }

  /// Indicates whether objects can have lists whose other pages are added.
  var mergesPages: Bool { plan.mergesPages && !readsPagesAlone }

  /// Returns the object of a builder, or `nil` if a field is missing that must not be.
  @inline(__always)
  func finished(_ builder: consuming ResponseObjectBuilder) -> ResponseObject? {
    guard !keepsGaps else { return builder.finishPartially() }
    // The misses say which field it is.
    return try? builder.finish(allowsMissing: allowsMissingFields || keepsPartialData)
  }

  /// Returns the elements of a list that must not have nulls, or `nil` if some are missing.
  func complete(_ objects: [ResponseObject], _ count: Int) -> [ResponseObject]? {
    objects.count == count || keepsGaps ? objects : nil
  }

  @inline(never)
  mutating func mismatch(_ contents: SlotContents, _ field: RecordField) {
    let isNull = if case .null = contents { true } else { false }
    miss(isNull ? .unexpectedNull : .mismatch, field.key, field.responseKey)
  }

  /// Returns the contents of a field, or `nil` if something is missing. The contents are missing if
  /// they may be.
  mutating func contents(of value: CacheValue?, _ field: RecordField) throws
    -> SlotContents?
  {
    guard !givesUp else { return nil }
    guard let value = try value ?? field.lookup.flatMap({ try found(by: $0, field) }) else {
      if mayBeMissing(field) { return .missing }
      miss(.noField, field.key, field.responseKey)
      return nil
    }
    if case .failure(let failure) = value {
      if mayBeMissing(field), !servesFailures { return .missing }
      return serve(failure, field, field.responseKey) ? .null : nil
    }
    guard let position = field.position else { return leaf(value, field) }
    return try at(.field(field.responseKey)) { try $0.objects(of: value, at: position, field) }
  }

  /// Returns references to the records to which the arguments of a field lead, or `nil` if there
  /// are none.
  ///
  /// The reading depends on every candidate: if one is created or removed, the result may change.
  private mutating func found(by lookup: FieldLookup, _ field: RecordField) throws -> CacheValue? {
    switch lookup {
    case .provided(let provided, let otherwise):
      pathUseCount += 1
      return try (provided.lookup(path + [.field(field.responseKey)]) ?? otherwise).flatMap {
        try found(by: $0, field)
      }
    case .object(let candidates): return try first(of: candidates).map(CacheValue.reference)
    case .list(let candidates):
      let keys = try candidates.map { try first(of: $0) }
      guard keys.contains(where: { $0 != nil }) else { return nil }
      // A missing element becomes a miss of its first candidate.
      return .list(zip(keys, candidates).map { .reference($0 ?? $1[0]) })
    }
  }

  private mutating func first(of candidates: [RecordKey]) throws -> RecordKey? {
    for key in candidates {
      dependencies.insert(.typename, of: key)
      guard records.isLoaded(key) else {
        unloaded.insert(key)
        continue
      }
      if try records.fields(of: key, among: [.typename]) != nil { return key }
    }
    return nil
  }

  private mutating func leaf(_ value: CacheValue, _ field: RecordField) -> SlotContents? {
    if field.rank == 1, let strings = value.strings { return .strings(strings) }
    if let leaf = value.leaf { return .leaf(leaf) }
    guard value.hasFailures else {
      miss(.mismatch, field.key, field.responseKey)
      return nil
    }
    let served = at(.field(field.responseKey)) { $0.withoutFailures(value, field, level: 0) }
    return served?.leaf.map(SlotContents.leaf)
  }

  /// Returns a list of leaves with a null for each failure, or `nil` if a failure is a miss. In
  /// partial data, an element that may be null is missing alone.
  ///
  /// `level`: The number of lists around the value.
  private mutating func withoutFailures(
    _ value: CacheValue, _ field: RecordField, level: Int
  ) -> CacheValue? {
    switch value {
    case .failure where leavesOutFailure(field, level: level): return .null
    case .failure(let failure): return serve(failure, field) ? .null : nil
    case .list(let elements):
      var served: [CacheValue] = []
      for (index, element) in elements.enumerated() {
        let element = at(.index(index)) {
          $0.withoutFailures(element, field, level: level + 1)
        }
        if let element {
          served.append(element)
        } else if keepsPartialData, field.mayBeNull(at: level + 1) {
          served.append(.null)
        } else {
          return nil
        }
      }
      return .list(served)
    default: return value
    }
  }
}

// MARK: - Objects in objects

extension ObjectReader {
  mutating func objects(
    of value: CacheValue, at position: ObjectPosition, _ field: RecordField
  ) throws -> SlotContents? {
    switch (value, field.rank) {
    case (.list(let elements), 1) where field.hasNonNullElements:
      return try nonNullObjects(of: elements, at: position, field).map(SlotContents.objects)
    case (.list(let elements), 1):
      return try nullableObjects(of: elements, at: position, field).map(
        SlotContents.nullableObjects)
    case (.list, 2...):
      return try tree(of: value, at: position, field, rank: field.rank).map(SlotContents.tree)
    case (_, 0):
      return try object(of: value, at: position, field).map(SlotContents.object)
    default:
      miss(.mismatch, field.key)
      return nil
    }
  }

  /// Reads another record, and then continues with the current one.
  @inline(__always)
  mutating func elsewhere<Result>(
    _ read: (inout Self) throws -> Result
  ) rethrows -> Result {
    let outer = place
    defer { place = outer }
    return try read(&self)
  }

  /// A record that is being read, and the field of it that embeds the current object.
  struct Place {
    fileprivate let record: Unmanaged<ObjectIdentity>
    let field: FieldKey?

    /// Returns whether both are in the same record.
    func isInRecord(of other: Place) -> Bool { record.toOpaque() == other.record.toOpaque() }
  }

  /// The place that is being read.
  var place: Place {
    get { Place(record: currentRecord, field: field) }
    set {
      currentRecord = newValue.record
      field = newValue.field
    }
  }

  /// The record that is being read. The key must live until the next one is set.
  var record: RecordKey {
    get { currentRecord._withUnsafeGuaranteedRef { RecordKey($0) } }
    set { currentRecord = Unmanaged.passUnretained(newValue.identity) }
  }

  /// Reads an object that is embedded in a field, at any depth.
  @inline(__always)
  mutating func embedded<Result>(
    in field: RecordField, _ read: (inout Self) throws -> Result
  ) rethrows -> Result {
    guard self.field == nil else { return try read(&self) }
    self.field = field.key
    defer { self.field = nil }
    return try read(&self)
  }

  /// Reads an object that a record embeds.
  mutating func embeddedObject(of fields: FieldMap, _ layout: RecordLayout) throws
    -> ResponseObject?
  {
    let counts = issueCounts
    let object = try object(of: fields, layout)
    guard mergesPages, let object else { return object }
    return try merged(object, among: .embedded(fields), since: counts)
  }

  /// Reads the object of a reference, or an embedded object.
  mutating func object(of value: CacheValue, at position: ObjectPosition, _ field: RecordField)
    throws
    -> ResponseObject?
  {
    switch value {
    case .reference(let record):
      return try elsewhere { try $0.object(of: record, at: position) }
    case .object(let fields):
      return try embedded(in: field) {
        try $0.embeddedObject(of: fields, $0.plan.layout(at: position, for: fields))
      }
    default:
      miss(.mismatch, field.key)
      return nil
    }
  }
}

extension CacheValue {
  /// The elements of a list of strings, or `nil` for any other value.
  fileprivate var strings: [String]? {
    guard case .list(let elements) = self else { return nil }
    var strings: [String] = []
    strings.reserveCapacity(elements.count)
    for element in elements {
      guard case .string(let text) = element else { return nil }
      strings.append(text)
    }
    return strings
  }

  /// Indicates whether a list has failures, at any depth.
  fileprivate var hasFailures: Bool {
    switch self {
    case .failure: true
    case .list(let elements): elements.contains(where: \.hasFailures)
    default: false
    }
  }
}

/// The records that a reading needs and that are not loaded yet, in the order of the selection.
struct UnloadedRecords {
  private(set) var keys: [RecordKey] = []
  private var known: Set<RecordKey> = []

  var isEmpty: Bool { keys.isEmpty }

  mutating func insert(_ key: RecordKey) {
    if known.insert(key).inserted { keys.append(key) }
  }
}

extension ResponseObject {
  /// Indicates whether a field besides `__typename` has a value, or is null.
  fileprivate var hasFields: Bool {
    layout.fields.contains { $0.name != "__typename" && !isMissing($0) }
  }
}

extension SlotContents {
  /// Creates the contents for an integer. One that `Int` cannot hold, which has 32 bits on Apple
  /// Watch, can still be the value of a custom scalar.
  @inline(__always)
  init(_ number: Int64) {
    if let value = Int(exactly: number) { self = .int(value) } else { self = .leaf(.int(number)) }
  }
}

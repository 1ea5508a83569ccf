package import ApolloAPI

extension ApolloStore {
  /// Returns the parts of a query that have to be fetched so that all of it is in the cache.
  ///
  /// The steps:
  ///
  /// 1. The query is read, to its end. Objects are made of what there is, whatever the schema says.
  /// 2. The paths of the misses are the first fields of the part. A value that the cache has, but
  ///    that is no value of the field, is missing with everything inside of it.
  /// 3. Stale fields are added wherever their objects are shown. Of a stale reference, that is the
  ///    identity of the object.
  /// 4. The fields that identify the objects on the way are added. An object without an identity
  ///    may be another one the next time, so all of its own fields are added, and the identities of
  ///    the objects inside of it. A page of a merged list is fetched as a whole.
  /// 5. If the server can look objects up, all of this is done once more, beginning at the objects
  ///    that it can find (``LookedUpParts``).
  ///
  /// - Parameters:
  ///   - operation: The query, with its variables.
  ///   - servesFailures: Whether a field that failed on the server is not missing.
  ///   - readsPagesAlone: Whether the pages of merged lists are read alone.
  ///   - demand: The freshness that the data must have.
  /// - Returns: The part from the root, or `nil` if that is all of the query or nothing, and the
  ///   parts of objects, or `nil` if no objects are to be looked up.
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  package nonisolated(nonsending) func missingParts<Operation: GraphQLOperation>(
    of operation: Operation, servesFailures: Bool, readsPagesAlone: Bool,
    demanding demand: FreshnessDemand
  ) async throws -> (root: OperationPart?, lookedUp: LookedUpParts?) {
    try ActiveTransactions.refuseReading(of: self)
    let selection = OperationSelection(
      operation, servesFailures: servesFailures, keepsPartialData: true, keepsGaps: true,
      readsPagesAlone: readsPagesAlone)
    var ledger = currentLedger(for: selection.schema)
    let (result, generation, version) =
      if let read = try readAtOnce(selection, &ledger) { read } else {
        try await readWaiting(selection, &ledger)
      }
    guard let root = result.object else { return (nil, nil) }
    let trace = ReadingTrace(
      dependencies: result.dependencies, generation: generation, version: version)
    let stale = staleFields(trace, result, of: selection, ledger, demand)
    let (plan, recycle) = selection.plan(from: plans)
    defer { recycle() }
    var finder = MissingPartFinder(plan, stale: stale)
    let part = finder.part(of: root, missing: result.misses)
    guard let objects = FindableObjects(plan, selection.schema.types) else { return (part, nil) }
    var objectFinder = MissingPartFinder(plan, stale: stale, findable: objects)
    return (part, objectFinder.lookedUpParts(of: root, missing: result.misses))
  }

  private func staleFields(
    _ trace: ReadingTrace, _ result: ObjectReadResult, of selection: OperationSelection,
    _ ledger: LedgerSnapshot?, _ demand: FreshnessDemand
  ) -> [RecordKey: Set<FieldKey>] {
    guard let ledger, demand.enforcement == .strict else { return [:] }
    let missing = Set(result.misses.lazy.filter(\.isAbsence).map(\.address))
    let check = check(
      trace, of: selection, ledger, missing: missing, freshness.currentTime, .reading)
    return check.misses(demand, areAll: true).reduce(into: [:]) { fields, miss in
      fields[miss.address.record, default: []].insert(miss.address.field)
    }
  }
}

/// Finds the part of a selection that is missing in a reading.
private struct MissingPartFinder {
  private let plan: NormalizationPlan
  private let stale: [RecordKey: Set<FieldKey>]
  /// The number of objects that may still be visited. Records that refer to several others each can
  /// occur exponentially often.
  private var budget = 200_000
  private let root = PartNode()
  /// The objects that the server can find, or `nil` if all parts begin at the root.
  private let findable: FindableObjects?
  /// The objects at which parts begin, in the order in which they were found.
  private var found: [FoundObject] = []
  private var foundIndices: [FoundObject.ID: Int] = [:]

  init(
    _ plan: NormalizationPlan, stale: [RecordKey: Set<FieldKey>], findable: FindableObjects? = nil
  ) {
    self.plan = plan
    self.stale = stale
    self.findable = findable
  }

  /// Returns the part, or `nil` if it is all or nothing.
  mutating func part(of object: ResponseObject, missing misses: [CacheMiss]) -> OperationPart? {
    find(in: object, misses)
    guard budget > 0, !root.isWhole, !root.fields.isEmpty else { return nil }
    return root.part
  }

  /// Returns the parts of objects that the server finds, with the rest of what is missing, or `nil`
  /// if there are none, too many, or all is missing.
  mutating func lookedUpParts(
    of object: ResponseObject, missing misses: [CacheMiss]
  ) -> LookedUpParts? {
    find(in: object, misses)
    removeRepeatedFields()
    guard budget > 0, !root.isWhole, (1...LookedUpParts.maximumCount).contains(found.count)
    else { return nil }
    for object in found { addIdentities(of: object.object, object.node) }
    let parts = found.map { ObjectPart(way: $0.id.way, lookup: $0.lookup, part: $0.node.part) }
    return LookedUpParts(
      parts: MissingParts(root: root.fields.isEmpty ? nil : root.part, objects: parts),
      identifiers: found.map(\.identifier))
  }

  private mutating func find(in object: ResponseObject, _ misses: [CacheMiss]) {
    if !stale.isEmpty { _ = addStale(of: object, .queryRoot, root, way: []) }
    for miss in misses { add(miss, in: object) }
    addIdentities(of: object, root, isRoot: true)
  }

  // MARK: - Misses

  /// Adds a miss to the part of the innermost object that the server can find.
  private mutating func add(_ miss: CacheMiss, in object: ResponseObject) {
    let (start, first) = beginning(of: miss.path, in: object)
    var node = first
    for case .field(let key) in miss.path[start...] { node = node.field(key) }
    node.isWhole = true
  }

  /// Returns the index in a path after the innermost object that the server can find, and the
  /// object's part. Inside of a field that is fetched anyway, no object is looked up.
  private mutating func beginning(
    of path: [PathEntry], in root: ResponseObject
  ) -> (Int, PartNode) {
    var (start, node) = (0, self.root)
    guard findable != nil else { return (start, node) }
    var (object, way) = (root, [ObjectPart.Step]())
    var inside: PartNode? = node
    var rest = path[...]
    while case .field(let key)? = rest.popFirst() {
      let layout = plan.layout(of: object)
      inside = inside?.fields[key]
      guard let typename = layout.layout.typename, inside?.isFetched != true,
        let index = layout.layout.fieldIndex(withKey: key),
        let child = object.object(ofField: index, at: &rest), !rest.isEmpty
      else { break }
      way.append(ObjectPart.Step(typename: typename, responseKey: key))
      object = child
      guard let part = part(of: child, way) else { continue }
      (start, node, inside) = (rest.startIndex, part, part)
    }
    return (start, node)
  }

  // MARK: - Objects that the server can find

  /// Returns the part of an object that the server can find, or `nil` if it cannot.
  private mutating func part(of object: ResponseObject, _ way: [ObjectPart.Step]) -> PartNode? {
    let layout = plan.layout(of: object)
    guard let (lookup, identifier) = findable?.lookup(of: object, layout),
      let key = object.recordKey ?? plan.key(of: object, layout)
    else { return nil }
    let id = FoundObject.ID(record: key, way: way)
    if let known = foundIndices[id] { return found[known].node }
    let node = PartNode()
    foundIndices[id] = found.count
    found.append(
      FoundObject(id: id, object: object, lookup: lookup, identifier: identifier, node: node))
    return node
  }

  /// Removes objects of which nothing is missing but leaves that the same object has elsewhere.
  private mutating func removeRepeatedFields() {
    var known: [RecordKey: Set<FieldKey>] = [:]
    found.removeAll { object in
      let layout = plan.layout(of: object.object)
      let fields = layout.fields.filter { object.node.fields[$0.responseKey] != nil }
      let leaves = Set(fields.filter { $0.position == nil }.map(\.key))
      let isKnown =
        fields.count == leaves.count && leaves.isSubset(of: known[object.id.record] ?? [])
      known[object.id.record, default: []].formUnion(leaves)
      return isKnown
    }
  }

  // MARK: - Stale fields

  /// Adds the stale fields of an object and of those inside of it. Returns whether there are any.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - record: Its record.
  ///   - node: The part of the object.
  ///   - way: The fields that lead to the object, or `nil` if objects inside of it are not looked
  ///     up.
  /// - Returns: `true` if the part has stale fields.
  private mutating func addStale(
    of object: ResponseObject, _ record: RecordKey, _ node: PartNode, way: [ObjectPart.Step]?
  ) -> Bool {
    budget -= 1
    guard budget > 0 else { return false }
    let fields = stale[record]
    var isStale = false
    let layout = plan.layout(of: object)
    for (index, field) in layout.fields.enumerated() {
      if fields?.contains(field.key) == true, field.key != .typename {
        node.field(field.responseKey).isNeeded = true
        isStale = true
      }
      guard field.position != nil else { continue }
      let inside = node.fields[field.responseKey] ?? PartNode()
      var isStaleInside = false
      let next = inside.isFetched ? nil : self.way(way, layout, field)
      for object in object.contents(ofField: index).listedObjects {
        // The fields of an embedded object are as old as the field with it.
        let key = plan.key(of: object, plan.layout(of: object)) ?? .embedded
        guard let next, findable != nil else {
          if addStale(of: object, key, inside, way: nil) { isStaleInside = true }
          continue
        }
        let own = PartNode()
        guard addStale(of: object, key, own, way: next) else { continue }
        if let part = part(of: object, next) {
          part.merge(own)
        } else {
          inside.merge(own)
          isStaleInside = true
        }
      }
      if isStaleInside {
        node.fields[field.responseKey] = inside
        isStale = true
      }
    }
    return isStale
  }

  private func way(
    _ way: [ObjectPart.Step]?, _ layout: RecordLayout, _ field: RecordField
  ) -> [ObjectPart.Step]? {
    guard findable != nil, let way, let typename = layout.layout.typename else { return nil }
    return way + [ObjectPart.Step(typename: typename, responseKey: field.responseKey)]
  }

  // MARK: - Identities

  /// Adds what identifies the objects on the way to the fields of the part.
  private mutating func addIdentities(
    of object: ResponseObject, _ node: PartNode, isRoot: Bool = false
  ) {
    budget -= 1
    guard budget > 0, !node.isWhole else { return }
    let layout = plan.layout(of: object)
    if !isRoot {
      if let keys = layout.resolver.identifyingKeys(of: object) {
        node.keys.formUnion(keys)
      } else {
        for field in layout.fields where field.key != .typename {
          _ = node.field(field.responseKey)
        }
      }
    }
    for (index, field) in layout.fields.enumerated() {
      guard field.position != nil, let inside = node.fields[field.responseKey], !inside.isWhole
      else { continue }
      guard field.pages == nil else {
        inside.isWhole = true
        continue
      }
      let objects = object.contents(ofField: index).listedObjects
      // The next object may be of any type, which then says what identifies it.
      if objects.isEmpty { inside.mayBeUnknown = true }
      for object in objects { addIdentities(of: object, inside) }
    }
  }
}

extension RecordKey {
  /// A key that no record has: that of objects in a field.
  fileprivate static let embedded = RecordKey("")
}

extension ResponseObject {
  /// Returns the object of a field at the indices with which a path begins, and removes them from
  /// it.
  fileprivate func object(
    ofField index: Int, at path: inout ArraySlice<PathEntry>
  ) -> ResponseObject? {
    let indices = path.prefix { if case .index = $0 { true } else { false } }
    path = path.dropFirst(indices.count)
    return object(of: layout.fields[index], at: indices)
  }
}

extension SlotContents {
  /// The objects of a field, in lists of any depth.
  fileprivate var listedObjects: [ResponseObject] {
    switch self {
    case .object(let object): [object]
    case .objects(let objects): objects
    case .nullableObjects(let objects): objects.compactMap { $0 }
    case .tree(let tree): tree.listedObjects
    default: []
    }
  }
}

extension ObjectTree {
  fileprivate var listedObjects: [ResponseObject] {
    switch self {
    case .null: []
    case .object(let object): [object]
    case .list(let elements): elements.flatMap(\.listedObjects)
    }
  }
}

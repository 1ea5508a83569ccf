package import ApolloAPI

extension ApolloStore {
  /// Returns the part of a query that has to be fetched so that all of it is in the cache, or `nil`
  /// if that is all of it or nothing.
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
  ///
  /// - Parameters:
  ///   - operation: The query, with its variables.
  ///   - servesFailures: Whether a field that failed on the server is not missing.
  ///   - readsPagesAlone: Whether the pages of merged lists are read alone.
  ///   - demand: The freshness that the data must have.
  /// - Returns: The part.
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  package nonisolated(nonsending) func missingPart<Operation: GraphQLOperation>(
    of operation: Operation, servesFailures: Bool, readsPagesAlone: Bool,
    demanding demand: FreshnessDemand
  ) async throws -> OperationPart? {
    try ActiveTransactions.refuseReading(of: self)
    let selection = OperationSelection(
      operation, servesFailures: servesFailures, keepsPartialData: true, keepsGaps: true,
      readsPagesAlone: readsPagesAlone)
    var ledger = currentLedger(for: selection.schema)
    let (result, generation, version) =
      if let read = try readAtOnce(selection, &ledger) { read } else {
        try await readWaiting(selection, &ledger)
      }
    guard let root = result.object else { return nil }
    let trace = ReadingTrace(
      dependencies: result.dependencies, generation: generation, version: version)
    let stale = staleFields(trace, result, of: selection, ledger, demand)
    let (plan, recycle) = selection.plan(from: plans)
    defer { recycle() }
    var finder = MissingPartFinder(plan, stale: stale)
    return finder.part(of: root, missing: result.misses)
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

  init(_ plan: NormalizationPlan, stale: [RecordKey: Set<FieldKey>]) {
    self.plan = plan
    self.stale = stale
  }

  /// Returns the part, or `nil` if it is all or nothing.
  mutating func part(of object: ResponseObject, missing misses: [CacheMiss]) -> OperationPart? {
    for miss in misses {
      var node = root
      for case .field(let key) in miss.path { node = node.field(key) }
      node.isWhole = true
    }
    if !stale.isEmpty { _ = addStale(of: object, .queryRoot, root) }
    addIdentities(of: object, root, isRoot: true)
    guard budget > 0, !root.isWhole, !root.fields.isEmpty else { return nil }
    return root.part
  }

  // MARK: - Stale fields

  /// Adds the stale fields of an object and of those inside of it. Returns whether there are any.
  private mutating func addStale(
    of object: ResponseObject, _ record: RecordKey, _ node: PartNode
  ) -> Bool {
    budget -= 1
    guard budget > 0 else { return false }
    let fields = stale[record]
    var isStale = false
    for (index, field) in plan.layout(of: object).fields.enumerated() {
      if fields?.contains(field.key) == true, field.key != .typename {
        node.field(field.responseKey).isNeeded = true
        isStale = true
      }
      guard field.position != nil else { continue }
      let inside = node.fields[field.responseKey] ?? PartNode()
      var isStaleInside = false
      for object in object.contents(ofField: index).listedObjects {
        // The fields of an embedded object are as old as the field with it.
        guard let key = plan.key(of: object, plan.layout(of: object)) else {
          if addStale(of: object, .embedded, inside) { isStaleInside = true }
          continue
        }
        if addStale(of: object, key, inside) { isStaleInside = true }
      }
      if isStaleInside {
        node.fields[field.responseKey] = inside
        isStale = true
      }
    }
    return isStale
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

/// A part that is being found.
private final class PartNode {
  var fields: [String: PartNode] = [:]
  var keys: Set<String> = []
  var isWhole = false
  /// Indicates whether the field itself is stale.
  var isNeeded = false
  /// Indicates whether an object on the way has no object here.
  var mayBeUnknown = false

  func field(_ responseKey: String) -> PartNode {
    if let known = fields[responseKey] { return known }
    let node = PartNode()
    fields[responseKey] = node
    return node
  }

  var part: OperationPart {
    guard !isWhole else { return OperationPart(isWhole: true) }
    // No object says which fields identify those to come.
    guard !keys.isEmpty || !mayBeUnknown else { return OperationPart(isWhole: true) }
    return OperationPart(fields: fields.mapValues(\.part), keys: keys)
  }
}

extension RecordKey {
  /// A key that no record has: that of objects in a field.
  fileprivate static let embedded = RecordKey("")
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

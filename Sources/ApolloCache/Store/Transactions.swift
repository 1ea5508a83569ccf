package import ApolloAPI

/// A view of the records as they were when the transaction started. Valid only inside of its body.
///
/// ```swift
/// let name = try await store.withinReadTransaction { transaction in
///   try transaction.read(query: HeroQuery()).hero?.name
/// }
/// ```
public final class ReadTransaction {
  private let records: any StoreSnapshot
  private let generation: Generation
  private let plans: NormalizationPlanPool
  private var isOpen = true

  package init(_ records: any StoreSnapshot, generation: Generation, plans: NormalizationPlanPool) {
    self.records = records
    self.generation = generation
    self.plans = plans
  }

  package func end() { isOpen = false }

  /// Reads a selection, starting at a record.
  package func reading<Data: RootSelectionSet>(
    _ type: Data.Type, from key: RecordKey, variables: Variables?, servesFailures: Bool = false,
    allowsMissingFields: Bool = false
  ) throws -> CacheReading<Data> {
    guard isOpen else { throw StoreError.transactionEnded }
    return try plans.withPlan(Data.__layout, schema: Data.Schema.self, variables: variables) {
      CacheReading(
        try records.read(
          ReadRequest(
            key: key, plan: $0, servesFailures: servesFailures,
            allowsMissingFields: allowsMissingFields)),
        generation: generation)
    }
  }

  /// Reads an event of a subscription, whose root fields are not in the cache.
  func reading<Operation: GraphQLOperation>(
    event root: FieldMap, of operation: Operation
  ) throws -> CacheReading<Operation.Data> {
    let overlay = TransactionOverlay(records)
    try overlay.merge(RecordSet([Record(key: .subscriptionRoot, fields: root)]))
    return try plans.withPlan(
      Operation.Data.__layout, schema: Operation.Data.Schema.self,
      variables: operation.__variables
    ) {
      let request = ReadRequest(key: .subscriptionRoot, plan: $0, servesFailures: false)
      return CacheReading(try overlay.read(request), generation: generation)
    }
  }

  /// Returns the record with this key, or `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` after the transaction, and the errors of the cache.
  public func record(for key: RecordKey) throws -> Record? {
    guard isOpen else { throw StoreError.transactionEnded }
    return try records.fields(of: key).map { Record(key: key, fields: $0) }
  }

  /// Returns whether a page of a list is there.
  func has(_ list: ListLocation) throws -> Bool { try TransactionOverlay(records).has(list) }
}

/// A transaction that reads and changes records. Valid only inside of its body.
///
/// ```swift
/// try await store.withinReadWriteTransaction { transaction in
///   try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
///   try transaction.removeObject(for: "Droid:2001")
/// }
/// ```
///
/// It sees its own changes at once. Others see them when the body has returned.
public final class ReadWriteTransaction {
  package let overlay: TransactionOverlay
  private let generation: Generation
  private let plans: NormalizationPlanPool
  private var isOpen = true

  package init(_ base: any StoreSnapshot, generation: Generation, plans: NormalizationPlanPool) {
    overlay = TransactionOverlay(base)
    self.generation = generation
    self.plans = plans
  }

  /// Reads a selection, starting at a record.
  package func reading<Data: RootSelectionSet>(
    _ type: Data.Type, from key: RecordKey, variables: Variables?, servesFailures: Bool = false,
    allowsMissingFields: Bool = false, leavesOutFailedElements: Bool = false
  ) throws -> CacheReading<Data> {
    try checkIsOpen()
    return try plans.withPlan(Data.__layout, schema: Data.Schema.self, variables: variables) {
      CacheReading(
        try overlay.read(
          ReadRequest(
            key: key, plan: $0, servesFailures: servesFailures,
            allowsMissingFields: allowsMissingFields,
            leavesOutFailedElements: leavesOutFailedElements)),
        generation: generation)
    }
  }

  /// Writes a model of a selection, starting at a record, which is itself written if `keepsRoot`.
  package func write<Data: RootSelectionSet>(
    _ data: Data, to key: RecordKey, variables: Variables?, keepsRoot: Bool = true,
    listEdits: [(edit: ListEdit, lists: [String])] = []
  ) throws {
    let response = plans.withPlan(Data.__layout, schema: Data.Schema.self, variables: variables) {
      ResponseNormalizer($0, key: key, keepsRoot: keepsRoot, listEdits: listEdits)
        .normalize(model: data.__object)
    }
    try merge(response.records)
    try overlay.apply(overlay.resolved(response.listChanges))
  }

  /// Writes a model of a selection without the values that it has in common with another one, from
  /// which it was made: the fields that it does not change can be replaced by a response that is
  /// under way.
  func write<Data: RootSelectionSet>(
    _ data: Data, replacing known: Data, to key: RecordKey, variables: Variables?
  ) throws {
    let (records, old, lists) = plans.withPlan(
      Data.__layout, schema: Data.Schema.self, variables: variables
    ) { plan in
      let normalizer = ResponseNormalizer(plan, key: key)
      let old = normalizer.normalize(model: known.__object).records
      let new = ResponseNormalizer(plan, key: key).normalize(model: data.__object).records
      return (new.removingFields(ofOccurrencesIn: old), old, normalizer.lists)
    }
    let shown = old.merged
    var before = shown
    try rearrange(records, &before, lists)
    try merge(keepingFailures(in: records.removingValues(of: before), shownAs: before))
    guard !lists.isEmpty else { return }
    for record in records {
      guard let known = shown[record.key] else { continue }
      let ends = try record.fields.endsOfLists(lists, from: known) {
        try overlay.fields(of: record.key, among: [$0])?[$0]
      }
      if !ends.isEmpty { try merge(RecordSet([Record(key: record.key, fields: ends)])) }
    }
  }

  /// Brings the elements of lists to the places that they have in records. Elements without keys
  /// would be merged by their index otherwise, and one would get fields of its neighbor; a failure
  /// would stay at its index. A list of several pages becomes one page before.
  ///
  /// `known`: The values before the change, which are rearranged too.
  private func rearrange(
    _ records: RecordSet, _ known: inout [RecordKey: FieldMap], _ lists: [FieldKey: ListPages]
  ) throws {
    for record in records {
      for (field, value) in record.fields {
        guard let old = known[record.key]?[field], value != old,
          value.hasEmbeddedObjects || old.hasNullElements,
          let first = try overlay.fields(of: record.key, among: [field])?[field]
        else { continue }
        let page = try first.joiningPages(of: lists, in: field, from: old, to: value) {
          try overlay.fields(of: record.key, among: [$0])?[$0]
        }
        guard value.hasEmbeddedObjects || (page ?? first).containsFailure else { continue }
        let new = value.rearranging(page ?? first, from: old)
        guard let stored = new?.stored ?? page else { continue }
        // Null first: a list would be combined with the stored one by index again.
        try merge([record.key: [field: .null], record.key: [field: stored]])
        if let new { known[record.key]?[field] = new.known }
      }
    }
  }

  /// Returns records with the failures of the stored lists, where the model has shown them as
  /// `nil`, and still does: a gap is no null of the server.
  ///
  /// `known`: The values before the change, at the same places as the stored ones.
  private func keepingFailures(
    in records: RecordSet, shownAs known: [RecordKey: FieldMap]
  ) throws -> RecordSet {
    RecordSet(
      try records.map { record in
        var record = record
        for (field, value) in record.fields {
          guard let old = known[record.key]?[field], old.hasNullElements,
            let stored = try overlay.fields(of: record.key, among: [field])?[field]
          else { continue }
          record.fields[field] = value.keepingFailures(of: stored, shownAs: old)
        }
        return record
      })
  }

  package func end() { isOpen = false }

  private func checkIsOpen() throws(StoreError) {
    guard isOpen else { throw .transactionEnded }
  }

  /// Returns the record with this key, or `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` after the transaction, and the errors of the cache.
  public func record(for key: RecordKey) throws -> Record? {
    try checkIsOpen()
    return try overlay.fields(of: key).map { Record(key: key, fields: $0) }
  }

  /// Merges records in order.
  public func merge(_ records: RecordSet) throws {
    try checkIsOpen()
    try overlay.merge(records)
  }

  /// Removes one record. References to it become misses.
  public func removeObject(for key: RecordKey) throws {
    try checkIsOpen()
    overlay.remove(key)
  }

  /// Removes every record whose key contains `pattern`. ASCII letters match in either case. An
  /// empty pattern matches nothing.
  public func removeObjects(matching pattern: String) throws {
    try checkIsOpen()
    overlay.remove(matching: pattern)
  }

  /// Removes every record.
  public func clear() throws {
    try checkIsOpen()
    overlay.clear()
  }
}

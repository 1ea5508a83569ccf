package import ApolloAPI

/// Reads records as they were when the transaction began. Valid inside its body only.
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

  /// Reads what an operation or a fragment selects, from a record on.
  package func reading<Data: RootSelectionSet>(
    _ type: Data.Type, from key: RecordKey, variables: Variables?, servesFailures: Bool = false
  ) throws -> CacheReading<Data> {
    guard isOpen else { throw StoreError.transactionEnded }
    return try plans.withPlan(Data.__layout, schema: Data.Schema.self, variables: variables) {
      CacheReading(
        try records.read(ReadRequest(key: key, plan: $0, servesFailures: servesFailures)),
        generation: generation)
    }
  }

  /// The record with this key, or nil.
  ///
  /// - Throws: ``StoreError/transactionEnded``, or what the cache throws.
  public func record(for key: RecordKey) throws -> Record? {
    guard isOpen else { throw StoreError.transactionEnded }
    return try records.fields(of: key).map { Record(key: key, fields: $0) }
  }
}

/// Reads and changes records. What it changes is seen by itself at once, and by others when its
/// body has returned.
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

  /// Reads what an operation or a fragment selects, from a record on.
  package func reading<Data: RootSelectionSet>(
    _ type: Data.Type, from key: RecordKey, variables: Variables?, servesFailures: Bool = false
  ) throws -> CacheReading<Data> {
    try checkIsOpen()
    return try plans.withPlan(Data.__layout, schema: Data.Schema.self, variables: variables) {
      CacheReading(
        try overlay.read(ReadRequest(key: key, plan: $0, servesFailures: servesFailures)),
        generation: generation)
    }
  }

  /// Writes what an operation or a fragment selects, from a record on.
  package func write<Data: RootSelectionSet>(_ data: Data, to key: RecordKey, variables: Variables?)
    throws
  {
    let response = plans.withPlan(Data.__layout, schema: Data.Schema.self, variables: variables) {
      ResponseNormalizer($0, key: key).normalize(model: data.__object)
    }
    try merge(response.records)
  }

  package func end() { isOpen = false }

  private func checkIsOpen() throws(StoreError) {
    guard isOpen else { throw .transactionEnded }
  }

  /// The record with this key, or nil.
  ///
  /// - Throws: ``StoreError/transactionEnded``, or what the cache throws.
  public func record(for key: RecordKey) throws -> Record? {
    try checkIsOpen()
    return try overlay.fields(of: key).map { Record(key: key, fields: $0) }
  }

  /// Merges records, one after the other.
  public func merge(_ records: RecordSet) throws {
    try checkIsOpen()
    try overlay.merge(records)
  }

  /// Removes one record. What refers to it is a miss when it is read next.
  public func removeObject(for key: RecordKey) throws {
    try checkIsOpen()
    overlay.remove(key)
  }

  /// Removes every record whose key contains `pattern`, ASCII letters in either case.
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

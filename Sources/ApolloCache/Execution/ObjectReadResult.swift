internal import ApolloAPI

/// What a reading finds, whatever the type of its data.
///
/// Not generic, so that the compiler makes a reader for a table in memory and one for snapshots,
/// rather than one for all that asks at each step what it deals with.
struct ObjectReadResult {
  /// Nil if something is missing.
  let object: ResponseObject?
  let misses: [CacheMiss]
  let errors: [GraphQLError]
  let dependencies: Dependencies

  init(
    from key: RecordKey, in records: any RecordSnapshot, plan: NormalizationPlan,
    servesFailures: Bool
  ) throws {
    if let memory = records as? TableSnapshot {
      try self.init(
        from: key, ObjectReader(memory.table, plan: plan, servesFailures: servesFailures))
    } else if let rows = records as? any RowSnapshot {
      try self.init(
        from: key, ObjectReader(RowSource(rows), plan: plan, servesFailures: servesFailures))
    } else {
      try self.init(
        from: key,
        ObjectReader(SnapshotSource(records), plan: plan, servesFailures: servesFailures))
    }
  }

  private init(from key: RecordKey, _ reader: ObjectReader<some RecordSource>) throws {
    var reader = reader
    object = try reader.root(from: key)
    misses = reader.misses
    errors = reader.errors
    dependencies = reader.dependencies
  }
}

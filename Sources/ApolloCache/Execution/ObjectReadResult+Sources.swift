extension ObjectReadResult {
  // One initializer for each source of records, in place of a generic one: the compiler makes a
  // reader for each, instead of a reader that looks up the source's methods at each step.

  /// Reads a selection from a table in memory.
  init(_ request: ReadRequest, from table: RecordTable) throws {
    try self.init(request, ObjectReader(table, request))
  }

  /// Reads a selection from rows.
  init(_ request: ReadRequest, from rows: RowSource) throws {
    try self.init(request, ObjectReader(rows, request))
  }

  /// Reads a selection from any snapshot.
  init(_ request: ReadRequest, from snapshot: SnapshotSource) throws {
    try self.init(request, ObjectReader(snapshot, request))
  }

  private init(_ request: ReadRequest, _ reader: ObjectReader<some RecordSource>) throws {
    var reader = reader
    let object = try reader.root(from: request.key)
    self.init(
      object: object, misses: reader.misses, errors: reader.errors,
      failedFields: reader.issues.failedFields, dependencies: reader.dependencies,
      unloaded: reader.unloaded.keys)
  }
}

extension ObjectReader {
  fileprivate init(_ records: Records, _ request: ReadRequest) {
    self.init(
      records, plan: request.plan, servesFailures: request.servesFailures,
      allowsMissingFields: request.allowsMissingFields,
      leavesOutFailedElements: request.leavesOutFailedElements,
      keepsPartialData: request.keepsPartialData, keepsGaps: request.keepsGaps,
      readsPagesAlone: request.readsPagesAlone, reuse: request.reuse)
  }
}

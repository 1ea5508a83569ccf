internal import ApolloAPI

/// The result of reading a selection, whatever the type of its data.
///
/// Not generic, so that the compiler makes one reader for each source of records instead of a
/// reader that looks up the source's methods at each step.
package struct ObjectReadResult {
  /// The root object, or `nil` if something is missing.
  let object: ResponseObject?
  let misses: [CacheMiss]
  let errors: [GraphQLError]
  let dependencies: Dependencies
  /// The records to load before the selection is read again. Empty if the result is complete.
  package let unloaded: [RecordKey]

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
    object = try reader.root(from: request.key)
    misses = reader.misses
    errors = reader.errors
    dependencies = reader.dependencies
    unloaded = reader.unloaded.keys
  }
}

extension ObjectReader {
  fileprivate init(_ records: Records, _ request: ReadRequest) {
    self.init(records, plan: request.plan, servesFailures: request.servesFailures)
  }
}

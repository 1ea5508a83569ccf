internal import ApolloAPI
package import ApolloCache
package import Foundation

/// A reader of one scope, for tools. Only ``merge(_:from:)`` changes anything.
///
/// Programs may use the scope meanwhile, so records that are read one after the other can be from
/// different moments. Redis does not keep the name of the operation that has written a field.
package final class RedisScopeReader: RecordListing {
  private let scope: RedisScope

  /// The number of cells that are read at a time.
  private static let batchCount = 500
  /// The time after which a command counts as failed. A person waits longer than a program.
  private static let timeout = Duration.seconds(20)

  /// Creates a reader. The first command connects.
  ///
  /// - Throws: ``RedisError`` with the code ``RedisError/Code/invalidURL``.
  package init(url: URL, scope: String, schema: String, isSpread: Bool) throws(RedisError) {
    self.scope = RedisScope(
      client: try RedisClient(servers: [url], timeout: Self.timeout), replicas: nil,
      keys: KeySpace(
        schema: schema, scope: scope, isSpread: isSpread,
        database: try ServerAddress(url).database),
      lifetime: nil, nearRecordLimit: 0, keepsExpiries: true)
  }

  /// Creates a reader of a cache's scope. It has connections of its own, so that a long reading
  /// delays no call and no failure of it counts as one of the cache.
  init(_ scope: RedisScope) {
    self.scope = RedisScope(
      client: scope.client.copy(timeout: Self.timeout), replicas: nil, keys: scope.keys,
      lifetime: nil, nearRecordLimit: 0, keepsExpiries: true)
  }

  /// A scope of a server.
  package struct Scope: Hashable, Comparable, Sendable {
    package var schema: String
    package var name: String
    /// Indicates whether the scope is spread over the nodes of a cluster.
    package var isSpread: Bool

    package init(schema: String, name: String, isSpread: Bool) {
      (self.schema, self.name, self.isSpread) = (schema, name, isSpread)
    }

    package static func < (left: Scope, right: Scope) -> Bool {
      (left.schema, left.name, left.isSpread ? 1 : 0)
        < (right.schema, right.name, right.isSpread ? 1 : 0)
    }
  }

  /// Returns the scopes of a server, in order. Of a cluster, those that are at this node.
  ///
  /// - Throws: ``RedisError``
  package static func scopes(of url: URL) async throws -> [Scope] {
    let client = try RedisClient(servers: [url], timeout: timeout)
    var (cursor, found): (String, Set<String>) = ("0", [])
    repeat {
      let response = try await client.send(
        RedisClient.Request(
          command: RedisCommand("SCAN", cursor, "MATCH", "apollo:*:m", "COUNT", "1000")))
      if case .error(let message) = response { throw RedisError(.server, detail: message) }
      guard let parts = response.elements, parts.count == 2, let next = parts[0].text else {
        throw RedisError(.malformedResponse)
      }
      found.formUnion((parts[1].elements ?? []).compactMap(\.text))
      cursor = next
    } while cursor != "0"
    var scopes: Set<Scope> = []
    for name in found {
      // apollo:<schema>:{<scope>}:m
      let parts = name.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 4, parts[2].first == "{", parts[2].last == "}" else { continue }
      // A part of a scope that is spread has its number behind a point, which no name contains.
      let whole = parts[2].dropFirst().dropLast()
      let name = whole.prefix { $0 != "." }
      guard let schema = parts[1].removingPercentEncoding,
        let decoded = String(name).removingPercentEncoding
      else { continue }
      scopes.insert(Scope(schema: schema, name: decoded, isSpread: name.count < whole.count))
    }
    return scopes.sorted()
  }

  /// Calls `body` with each record, in the order of the keys' bytes.
  ///
  /// - Throws: ``RedisError``, and the errors of `body`.
  /// - Complexity: O(*n*) in the number of all keys of the server.
  package nonisolated(nonsending) func forEachRecord(_ body: (ListedRecord) throws -> Void)
    async throws
  {
    let cells = try await scope.cells(matching: "")
    let keys = Set(cells.map(\.record)).sorted()
    let rootCells = Dictionary(grouping: cells.filter { $0.record.isRoot }) { $0.record }
    for start in stride(from: 0, to: keys.count, by: Self.batchCount) {
      let batch = keys[start..<min(start + Self.batchCount, keys.count)]
      let found = try await fetch(batch.flatMap { rootCells[$0] ?? [.record($0)] })
      for key in batch {
        if let record = Self.record(key, in: rootCells[key] ?? [.record(key)], found) {
          try body(record)
        }
      }
    }
  }

  /// Returns a record, or `nil` if there is none.
  ///
  /// - Throws: ``RedisError``
  package nonisolated(nonsending) func record(
    of key: RecordKey
  ) async throws -> ListedRecord? {
    let cells = key.isRoot ? try await scope.cells(ofRoot: key) : [.record(key)]
    return Self.record(key, in: cells, try await fetch(cells))
  }

  private nonisolated(nonsending) func fetch(_ cells: [Cell]) async throws -> [Cell: StoredCell] {
    var found: [Cell: StoredCell] = [:]
    for start in stride(from: 0, to: cells.count, by: Self.batchCount) {
      let batch = cells[start..<min(start + Self.batchCount, cells.count)]
      found.merge(try await scope.fetch(batch).cells) { $1 }
    }
    return found
  }

  private static func record(
    _ key: RecordKey, in cells: [Cell], _ found: [Cell: StoredCell]
  ) -> ListedRecord? {
    var record = ListedRecord(key: key)
    var fields: [(FieldKey, CacheValue)] = []
    var exists = false
    var isReadable = key.isRoot
    for cell in cells {
      // A cell without a token is none: it has expired, or was removed meanwhile.
      guard let stored = found[cell], !stored.token.isEmpty else { continue }
      exists = true
      guard let contents = stored.fields else {
        if case .field(_, let field) = cell { record.unreadableFields.append(field) }
        continue
      }
      isReadable = true
      for (field, value) in contents {
        fields.append((field, value))
        if let write = stored.writes?[field], let facts = CellWrite(write)?.facts {
          record.writes[field] = facts
        }
      }
    }
    guard exists else { return nil }
    if isReadable { record.fields = FieldMap(fields) }
    return record
  }

  /// Returns whether anything was ever written to the scope.
  ///
  /// - Throws: ``RedisError``
  package func exists() async throws -> Bool {
    try await scope.loadMetas(Array(0..<scope.keys.partitionCount)).contains { !$0.epoch.isEmpty }
  }

  /// Returns a text that is another one after each commit to the scope.
  ///
  /// - Throws: ``RedisError``
  package nonisolated(nonsending) func version() async throws -> String {
    try await scope.loadMetas(Array(0..<scope.keys.partitionCount))
      .map { "\($0.epoch):\($0.version)" }.joined(separator: ",")
  }

  /// Returns what the scope has already of some fields.
  ///
  /// - Parameter records: Records of different keys, with the fields.
  /// - Returns: The records that exist.
  /// - Throws: ``RedisError``
  package func records(_ records: [Record]) async throws -> [RecordKey: ListedRecord] {
    let found = try await fetch(records.flatMap(Self.cells))
    var known: [RecordKey: ListedRecord] = [:]
    for record in records {
      known[record.key] = Self.record(record.key, in: Self.cells(of: record), found)
    }
    return known
  }

  private static func cells(of record: Record) -> [Cell] {
    guard record.key.isRoot else { return [.record(record.key)] }
    return record.fields.keys.map { .field(record.key, $0) }
  }

  /// Merges records that are from one write. Cells that the server removes at some time keep that
  /// time; new ones have none.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - facts: The facts about the write, or `nil` if nothing is known about it.
  /// - Throws: ``RedisError``
  package func merge(_ records: RecordSet, from facts: WriteFacts?) async throws {
    let context = RedisWriteContext(scope)
    if let facts { _ = context.begin(PendingWrite(facts, .all)) }
    _ = try await context.commit([.merge(records)])
  }
}

extension RedisNormalizedCache {
  package func listing() -> (any RecordListing)? { RedisScopeReader(core) }
}

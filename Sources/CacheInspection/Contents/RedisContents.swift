internal import ApolloCache
internal import Foundation
#if REDIS
  internal import ApolloRedis

  /// The records of a scope on a Redis server.
  struct RedisContents: CacheContents {
    let reader: RedisScopeReader
    let name: String

    nonisolated(nonsending) func forEachRecord(_ body: (StoredRecord) throws -> Void) async throws {
      try await reader.forEachRecord { try body(Self.record($0)) }
    }

    func record(of key: RecordKey) async throws -> StoredRecord? {
      try await reader.record(of: key).map(Self.record)
    }

    private static func record(_ stored: RedisScopeReader.Record) -> StoredRecord {
      var record = StoredRecord(key: stored.key, fields: stored.fields)
      record.unreadableFields = stored.unreadableFields
      record.writes = stored.writes
      record.byteCount = stored.key.byteCount + (stored.fields?.byteCount ?? 0)
      return record
    }

    func version() async throws -> String { try await reader.version() }
    func damage() -> [String] { [] }
    var storedByteCount: Int? { nil }
    var formVersion: Int? { nil }
  }

  extension CacheLocation {
    func openRedis(
      _ url: URL, _ scope: String?, _ schema: String, _ isSpread: Bool
    ) async throws -> any CacheContents {
      guard let scope else { throw try await Self.missingScope(url) }
      let reader = try RedisScopeReader(url: url, scope: scope, schema: schema, isSpread: isSpread)
      _ = try await reader.version()  // reports a server that cannot be reached
      return RedisContents(reader: reader, name: "\(Self.publicName(of: url)) (scope '\(scope)')")
    }

    /// The error for a URL without a scope, which lists those of the server.
    private static func missingScope(_ url: URL) async throws -> InspectionError {
      let scopes = try await RedisScopeReader.scopes(of: url)
      let names = scopes.map { schema, scope in
        schema == "default" ? "scope=\(scope)" : "scope=\(scope)&schema=\(schema)"
      }
      return InspectionError(
        "The URL names no scope. Write '\(publicName(of: url))?scope=NAME'. "
          + (names.isEmpty
            ? "The server has no caches." : "The server has: \(names.joined(separator: ", "))."))
    }

    /// The URL without the user and the password.
    private static func publicName(of url: URL) -> String {
      guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return "" }
      (parts.user, parts.password) = (nil, nil)
      return parts.string ?? ""
    }
  }
#else
  extension CacheLocation {
    func openRedis(
      _ url: URL, _ scope: String?, _ schema: String, _ isSpread: Bool
    ) async throws -> any CacheContents { throw Self.needsRedis }

    static var needsRedis: InspectionError {
      InspectionError(
        "This apollo-cli was built without Redis. Install the headers of hiredis (libhiredis-dev, "
          + "on macOS 'brew install hiredis'), run 'swift package purge-cache' and build apollo-cli "
          + "again.")
    }
  }
#endif

internal import ApolloCache
internal import CacheInspection
internal import Foundation
#if REDIS
  internal import ApolloRedis

  /// The records of a scope on a Redis server.
  struct RedisContents: CacheContents {
    let reader: RedisScopeReader
    let name: String

    nonisolated(nonsending) func forEachRecord(_ body: (StoredRecord) throws -> Void) async throws {
      try await reader.forEachRecord { try body(StoredRecord($0)) }
    }

    func record(of key: RecordKey) async throws -> StoredRecord? {
      try await reader.record(of: key).map(StoredRecord.init)
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
      guard let scope else {
        throw try await Self.missingScope(
          url, "The URL names no scope. Write '\(Self.publicName(of: url))?scope=NAME'.")
      }
      let reader = try RedisScopeReader(url: url, scope: scope, schema: schema, isSpread: isSpread)
      // Reports a server that cannot be reached, too.
      guard try await reader.exists() else {
        let wanted = RedisScopeReader.Scope(schema: schema, name: scope, isSpread: isSpread)
        throw try await Self.missingScope(
          url,
          "Nothing was written to '\(Self.parameters(of: wanted))' of "
            + "'\(Self.publicName(of: url))'.")
      }
      return RedisContents(reader: reader, name: "\(Self.publicName(of: url)) (scope '\(scope)')")
    }

    /// The error for a URL whose scope is not there, with the scopes of the server.
    private static func missingScope(_ url: URL, _ text: String) async throws -> InspectionError {
      let names = try await RedisScopeReader.scopes(of: url).map(parameters)
      return InspectionError(
        "\(text) "
          + (names.isEmpty
            ? "The server has no caches." : "The server has: \(names.joined(separator: ", "))."))
    }

    /// Returns the parameters of the URL of a scope.
    private static func parameters(of scope: RedisScopeReader.Scope) -> String {
      "scope=\(encoded(scope.name))"
        + (scope.schema == "default" ? "" : "&schema=\(encoded(scope.schema))")
        + (scope.isSpread ? "&spread=true" : "")
    }

    /// Returns the value of a parameter as it is in a URL.
    private static func encoded(_ value: String) -> String {
      let allowed = CharacterSet.urlQueryAllowed.subtracting(CharacterSet(charactersIn: "&=+#;"))
      return value.addingPercentEncoding(withAllowedCharacters: allowed) ?? value
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

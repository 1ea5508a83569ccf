package import CacheInspection
package import Foundation

/// The place of a cache: a file, or a scope of a Redis server.
package enum CacheLocation: Hashable, Sendable {
  case file(path: String)
  /// `url` is without the parameters.
  case redis(url: URL, scope: String?, schema: String, isSpread: Bool)

  /// Reads a path, or a URL such as `redis://host:6379/0?scope=public`.
  ///
  /// Parameters of a URL: `scope`, `schema` (`default`) and `spread=true`.
  ///
  /// - Throws: ``InspectionError``
  package init(_ text: String) throws(InspectionError) {
    guard let scheme = Self.scheme(of: text) else {
      self = .file(path: text)
      return
    }
    if scheme == "file", let url = URL(string: text), url.isFileURL {
      self = .file(path: url.path)
      return
    }
    guard
      scheme == "unix" || ["redis", "rediss"].contains(scheme) && text.contains("://"),
      var parts = URLComponents(string: text), parts.fragment == nil,
      scheme == "unix" || !parts.path.contains("@"),
      !(parts.queryItems ?? []).contains(where: { $0.name.contains("@") })
    else {
      throw InspectionError(
        "'\(Self.withoutPassword(text))' is neither a file nor the URL of a Redis server. Write "
          + "'redis://host:6379/0?scope=public' or 'unix:///path?scope=public'."
          + (text.contains("@") || text.contains("#") ? Self.advice : ""))
    }
    var (scope, schema, isSpread): (String?, String, Bool) = (nil, "default", false)
    for item in parts.queryItems ?? [] {
      switch (item.name, item.value) {
      case ("scope", let value?): scope = value
      case ("schema", let value?): schema = value
      case ("spread", "true"): isSpread = true
      case ("spread", "false"): isSpread = false
      default:
        throw InspectionError(
          "The parameter '\(item.name)' of the URL has no meaning. Use 'scope=NAME', "
            + "'schema=NAME' and 'spread=true'.")
      }
    }
    parts.query = nil
    guard let url = parts.url else {
      throw InspectionError("'\(Self.withoutPassword(text))' is not a URL.")
    }
    self = .redis(url: url, scope: scope, schema: schema, isSpread: isSpread)
  }

  private static let advice =
    " Write '#', '/', '?', '@' and ':' of names and passwords as '%23', '%2F', '%3F', '%40' and "
    + "'%3A'."

  /// Returns the scheme of a URL, or `nil` for a path.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    guard !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    let isOfServer = ["redis", "rediss", "valkey", "valkeys", "unix"].contains(scheme.lowercased())
    return isOfServer || text[colon...].hasPrefix("://") ? scheme.lowercased() : nil
  }

  /// Returns a path or URL for people: of a URL, all that can be a user and a password, up to the
  /// last '@', is left out. It need not be valid.
  package static func withoutPassword(_ text: String) -> String {
    guard scheme(of: text) != nil, let end = text.lastIndex(of: "@"),
      let colon = text.firstIndex(of: ":"), colon < end
    else { return text }
    let start = text[colon...].dropFirst().firstIndex { $0 != "/" } ?? end
    return "\(text[..<start])…\(text[end...])"
  }

  /// Opens the cache for reading.
  package nonisolated(nonsending) func open() async throws -> any CacheContents {
    switch self {
    case .file(let path): try openFile(path)
    case .redis(let url, let scope, let schema, let isSpread):
      try await openRedis(url, scope, schema, isSpread)
    }
  }
}

extension CacheInspector {
  /// Opens a cache for reading.
  ///
  /// - Throws: `InspectionError`, and the errors of the cache.
  package init(_ location: CacheLocation) async throws { self.init(try await location.open()) }
}

extension CacheInspector {
  /// Opens a cache and returns its problems. A file that is too damaged to be opened is one.
  ///
  /// - Throws: `InspectionError`, and the errors of the cache.
  package static func check(
    _ location: CacheLocation
  ) async throws -> [(kind: Finding.Kind, line: String)] {
    do {
      return try await CacheInspector(location).check()
    } catch {
      guard let damage = location.damage(in: error) else { throw error }
      return check(ofUnreadable: damage)
    }
  }
}

extension CacheDifference {
  /// Opens two caches and compares them.
  ///
  /// - Parameters:
  ///   - left: The first cache.
  ///   - right: The second cache.
  ///   - includesWrites: Whether times, operations and maximum ages of fields are compared too.
  ///   - emit: Receives the lines.
  /// - Returns: The number of differences.
  /// - Throws: `InspectionError`, and the errors of the caches.
  package nonisolated(nonsending) static func run(
    _ left: CacheLocation, _ right: CacheLocation, includesWrites: Bool,
    _ emit: (String) -> Void
  ) async throws -> Int {
    let (left, right) = (try await left.open(), try await right.open())
    return try await run(left, right, includesWrites: includesWrites, emit)
  }
}

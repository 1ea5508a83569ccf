internal import ApolloAPI
package import Foundation

/// Scheme, host and port: what decides whether secrets may travel along.
package struct Origin: Hashable, Sendable {
  package var scheme: String
  package var host: String
  package var port: Int

  private typealias Known = (url: URL, origin: Origin)

  /// The URL that was read last. Most requests of a program have the same one.
  private static let latest = Lock<Known?>(nil)

  /// The origin of an `http` or `https` URL; `nil` for every other one.
  package init?(_ url: URL) {
    if let known = Self.latest.withLock({ $0?.url == url ? $0?.origin : nil }) {
      self = known
      return
    }
    self.init(reading: url)
    let known = (url: url, origin: self)
    Self.latest.withLock { $0 = known }
  }

  private init?(reading url: URL) {
    guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    switch scheme {
    case "http": port = url.port ?? 80
    case "https": port = url.port ?? 443
    default: return nil
    }
    self.scheme = scheme
    self.host = host
  }
}

extension URL {
  /// The URL as it may appear in messages: without user, password, query and fragment, which can
  /// hold secrets.
  package var textWithoutSecrets: String {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return "the configured URL"
    }
    components.user = nil
    components.password = nil
    components.query = nil
    components.fragment = nil
    return components.string ?? "the configured URL"
  }
}

import ApolloAPI
import Foundation

/// The name and the version of a program, and those of this library, for a server's statistics.
///
/// ```swift
/// let apollo = ApolloClient(
///   url: url, clientAwarenessMetadata: ClientAwareness(name: "shop", version: "4.2"))
/// ```
///
/// Apollo's tools show usage by program. Its name and version are sent as the headers
/// `apollographql-client-name` and `apollographql-client-version`. The library's are sent in the
/// body, as `extensions.clientLibrary`; a GET request has no body and leaves them out, because a
/// URL is also a key of shared caches.
public struct ClientAwareness: Hashable, Sendable {
  /// The program's name, or `nil` to send none.
  public var name: String?
  /// The program's version, or `nil` to send none.
  public var version: String?
  /// `true` to send the name and the version of this library.
  public var includesLibrary: Bool

  /// Creates the description of a program.
  public init(name: String?, version: String?, includesLibrary: Bool = true) {
    self.name = name
    self.version = version
    self.includesLibrary = includesLibrary
  }

  /// Sends nothing.
  public static let none = ClientAwareness(name: nil, version: nil, includesLibrary: false)

  /// The name and the version of the main bundle, and those of this library.
  ///
  /// The name is the bundle's identifier with `-apollo-swift` behind it. A program whose bundle has
  /// no identifier, such as a command-line tool, has neither a name nor a version.
  public static let mainBundle: ClientAwareness = {
    // Looked at first, because the dictionary takes a seventh of a program's first fetch on Linux.
    guard let identifier = Bundle.main.bundleIdentifier else {
      return ClientAwareness(name: nil, version: nil)
    }
    let details = Bundle.main.infoDictionary
    let version = [
      details?["CFBundleShortVersionString"] as? String, details?["CFBundleVersion"] as? String,
    ].compactMap { $0 }.joined(separator: "-")
    return ClientAwareness(
      name: HeaderField.printable(defaultName(bundle: identifier)),
      version: version.isEmpty ? nil : HeaderField.printable(version))
  }()

  /// The name of a program whose bundle has an identifier.
  package static func defaultName(bundle identifier: String) -> String {
    "\(identifier)-apollo-swift"
  }

  /// The name and the version of this library as JSON, as servers see them.
  package static let library: StaticString = #"{"name":"apollo-swift","version":"0.1.0"}"#

  package var headers: [(name: String, value: String)] {
    [("apollographql-client-name", name), ("apollographql-client-version", version)]
      .compactMap { name, value in value.map { (name, $0) } }
  }
}

// MARK: - Names of Apollo iOS 2.x

/// The name that Apollo iOS 2.x gives to ``ClientAwareness``.
public typealias ClientAwarenessMetadata = ClientAwareness

extension ClientAwareness {
  /// The same as ``mainBundle``.
  public static let enabledWithDefaults = mainBundle

  /// Creates the description of a program, with the parameter names of Apollo iOS 2.x.
  public init(
    clientApplicationName: String? = nil, clientApplicationVersion: String? = nil,
    includeApolloLibraryAwareness: Bool = true
  ) {
    self.init(
      name: clientApplicationName, version: clientApplicationVersion,
      includesLibrary: includeApolloLibraryAwareness)
  }
}

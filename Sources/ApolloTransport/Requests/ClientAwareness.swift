import Foundation

/// The name and version that a program sends in every request.
///
/// Apollo's tools show usage by them. Sent as the headers `apollographql-client-name` and
/// `apollographql-client-version`.
public struct ClientAwareness: Hashable, Sendable {
  /// The name; not sent when it is `nil`.
  public var name: String?
  /// The version; not sent when it is `nil`.
  public var version: String?

  /// A name and a version of your choice.
  public init(name: String?, version: String?) {
    self.name = name
    self.version = version
  }

  /// Tells nothing.
  public static let none = ClientAwareness(name: nil, version: nil)

  /// The client's name and version from the main bundle; nothing when there is no bundle.
  public static let mainBundle: ClientAwareness = {
    let details = Bundle.main.infoDictionary
    let version = [
      details?["CFBundleShortVersionString"] as? String, details?["CFBundleVersion"] as? String,
    ].compactMap { $0 }.joined(separator: "-")
    return ClientAwareness(
      name: Bundle.main.bundleIdentifier.map { HeaderField.printable("\($0)-apollo-ios") },
      version: version.isEmpty ? nil : HeaderField.printable(version))
  }()

  package var headers: [(name: String, value: String)] {
    [("apollographql-client-name", name), ("apollographql-client-version", version)]
      .compactMap { name, value in value.map { (name, $0) } }
  }
}

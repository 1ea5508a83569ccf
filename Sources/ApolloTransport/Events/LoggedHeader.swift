/// A header field in an event, whose value is a ``Secret`` if its name says so.
///
/// The name of a secret field contains one of these words, in any case: `auth`, `cookie`,
/// `credential`, `key`, `password`, `secret`, `session`, `signature`, `token`. `Authorization`,
/// `Set-Cookie` and `X-API-Key` are examples.
public struct LoggedHeader: Hashable, Sendable, CustomStringConvertible {
  /// The value of a header field.
  public enum Value: Hashable, Sendable, CustomStringConvertible {
    /// A value that may be logged.
    case text(String)
    /// A value that must not be logged.
    case secret(Secret<String>)

    /// The value, or `<redacted>`.
    public var description: String {
      switch self {
      case .text(let text): text
      case .secret(let secret): secret.description
      }
    }
  }

  /// The name of the field.
  public let name: String
  /// The value of the field.
  public let value: Value

  package init(name: String, value: String) {
    self.name = name
    self.value = Self.isSecret(name) ? .secret(Secret(value)) : .text(value)
  }

  /// The field as a line, such as `Accept: application/json`.
  public var description: String { "\(name): \(value)" }

  /// Returns `true` if the value of a field with this name must not be logged.
  public static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return secretWords.contains { name.contains($0) }
  }

  private static let secretWords = [
    "auth", "bearer", "cookie", "credential", "csrf", "jwt", "key", "otp", "passcode", "password",
    "secret", "session", "signature", "token", "xsrf",
  ]
}

extension LoggedHeader {
  /// The fields of a request or a response, in alphabetical order.
  static func list(_ fields: [String: String]) -> [LoggedHeader] {
    fields.sorted { $0.key < $1.key }.map { LoggedHeader(name: $0.key, value: $0.value) }
  }
}

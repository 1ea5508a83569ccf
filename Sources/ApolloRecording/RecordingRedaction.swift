internal import ApolloAPI

/// The values that a recording of a session does not contain.
///
/// `<redacted>` takes the place of a secret value:
///
/// - A header whose name suggests a secret, as in the events of calls: `Authorization`, `Cookie`,
///   `Set-Cookie`, `X-API-Key`.
/// - A variable, or a field of an input object, whose name does: `password`, `apiKey`,
///   `sessionToken`. So is an argument in a variable that names a list of the cache (`ListID`).
///   With ``redactsAllVariables``, every variable.
/// - A text in a response, if the name of its field, or of an object around it, suggests a secret:
///   - It contains `password`, `passwd`, `passphrase`, `passcode`, `pwd`, `secret`, `credential`,
///     `cookie`, `signature`, `token`, `jwt`, `bearer`, `csrf`, `xsrf`, `apiKey`, `accessKey` or
///     `privateKey`.
///   - It is `otp`, `pass`, `pin`, `ssn`, `cvv` or `cvc`.
///   - It speaks of authorization, such as `oauthCode`.
///
///   Numbers, `__typename` and `id` stay. The objects around a part that arrives later are those of
///   its path. In a body that is no JSON, the whole values of such names are replaced.
/// - The user, the password, the query and the fragment of the URL of a response. In other texts,
///   such as headers, variables, messages and values of responses, the user and the password of a
///   URL, and the parameters whose names suggest a secret, such as `X-Amz-Signature`.
///
/// Names decide, so an alias such as `t: accessToken` hides a secret: give it as a secret name.
/// Names such as `tokenExpiresAt`, `tokenType` and `passwordStatus`, which end with `At`, `Date`,
/// `Time`, `Expiry`, `Type`, `Status` or `Count`, are no secrets: their values are dates, numbers
/// and enums, which a program could not read otherwise.
///
/// ```swift
/// let redaction = RecordingRedaction(secretNames: ["taxNumber"], exceptions: ["pageToken"])
/// ```
public struct RecordingRedaction: Hashable, Sendable {
  /// Further names of variables and fields whose values are secrets, in any case.
  public var secretNames: Set<String>

  /// The names of variables and fields whose values are recorded although their names suggest
  /// secrets, in any case. They do not concern headers.
  public var exceptions: Set<String>

  /// `true` to record the value of no variable. Requests with other variables fit then, too.
  public var redactsAllVariables: Bool

  /// Creates the rules.
  ///
  /// - Parameters:
  ///   - secretNames: Further names of variables and fields whose values are secrets.
  ///   - exceptions: The names of variables and fields whose values are recorded nevertheless.
  ///   - redactsAllVariables: `true` to record the value of no variable.
  public init(
    secretNames: Set<String> = [], exceptions: Set<String> = [], redactsAllVariables: Bool = false
  ) {
    self.secretNames = secretNames
    self.exceptions = exceptions
    self.redactsAllVariables = redactsAllVariables
  }

  /// The text in place of a secret.
  package static let mark = "<redacted>"
}

// MARK: - Names

extension RecordingRedaction {
  /// The words of secret headers, which are those of `LoggedHeader`.
  private static let headerWords = [
    "auth", "bearer", "cookie", "credential", "csrf", "jwt", "key", "otp", "passcode", "password",
    "secret", "session", "signature", "token", "xsrf",
  ]
  /// The words that make a field of a response a secret. `key` and `session` alone do not: data
  /// has keys for sorting, and conferences have sessions.
  private static let fieldWords = [
    "password", "passwd", "passphrase", "secret", "credential", "cookie", "signature", "token",
    "apikey", "accesskey", "privatekey", "jwt", "passcode", "csrf", "xsrf", "bearer", "pwd",
  ]
  /// The names that are secrets as a whole.
  private static let fieldNames: Set<String> = ["otp", "pass", "pin", "ssn", "cvv", "cvc"]
  /// The endings of names whose values are no secrets, whatever is before them.
  private static let plainEndings = [
    "At", "Date", "Time", "Expiry", "Type", "Status", "Count", "_at", "_date", "_time", "_expiry",
    "_type", "_status", "_count",
  ]
  /// The names of parameters of URLs that are secrets as a whole.
  private static let parameterNames: Set<String> = ["code", "hmac", "sig"]

  /// Returns `true` if the value of a header field must not be recorded.
  package func isSecretHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    return Self.headerWords.contains { name.contains($0) }
  }

  /// Returns `true` if the value of a variable, or of a field of an input object, must not be
  /// recorded.
  package func isSecretVariable(_ name: String) -> Bool {
    redactsAllVariables
      || decision(name) { name in
        Self.isSecretWord(name) || name.contains("session")
          || name.hasSuffix("key") || name.hasSuffix("keys") || Self.speaksOfAuthorization(name)
      }
  }

  /// Returns `true` if a text in a response must not be recorded.
  package func isSecretField(_ name: String) -> Bool {
    decision(name) { name in
      Self.isSecretWord(name) || Self.speaksOfAuthorization(name)
    }
  }

  /// Returns `true` if the value of a parameter of a URL must not be recorded.
  func isSecretParameter(_ name: String) -> Bool {
    decision(name) { name in
      Self.isSecretWord(name) || name.contains("session") || name.hasSuffix("key")
        || Self.speaksOfAuthorization(name) || Self.parameterNames.contains(name)
    }
  }

  private static func isSecretWord(_ name: String) -> Bool {
    fieldNames.contains(name) || fieldWords.contains { name.contains($0) }
  }

  private func decision(_ name: String, _ suggestsSecret: (String) -> Bool) -> Bool {
    let isPlain = Self.plainEndings.contains { name.hasSuffix($0) }
    let name = name.lowercased()
    if exceptions.contains(where: { $0.lowercased() == name }) { return false }
    if secretNames.contains(where: { $0.lowercased() == name }) { return true }
    return !isPlain && suggestsSecret(name)
  }

  /// Returns `true` for `auth`, `oauthCode` and `authorization`, and `false` for `author`.
  private static func speaksOfAuthorization(_ name: String) -> Bool {
    var rest = name[...]
    while let index = rest.firstIndex(of: "a") {
      rest = rest[index...]
      if rest.hasPrefix("auth"),
        !rest.hasPrefix("author") || rest.hasPrefix("authoriz") || rest.hasPrefix("authoris")
      {
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }
}

// MARK: - Values

extension RecordingRedaction {
  /// Returns header fields in alphabetical order, without secrets.
  package func headers(_ fields: [String: String]) -> [(name: String, value: String)] {
    fields.sorted { $0.key < $1.key }
      .map { ($0.key, isSecretHeader($0.key) ? Self.mark : text($0.value)) }
  }

  /// Returns variables as JSON text on one line, without secrets.
  ///
  /// A secret that is `null` stays so. The whole value of a secret name is replaced.
  package func variables(_ json: [UInt8]) -> [UInt8] {
    replacing(in: json, isSecret: isSecretVariable, text: list) { $0 != UInt8(ascii: "n") }
  }

  /// Returns a response as JSON text on one line, without secrets.
  ///
  /// Only texts are replaced, in lists and objects too, so that the response still has the types of
  /// its schema. `__typename` and `id` stay, so that objects remain what they are in a cache.
  package func response(_ json: [UInt8]) -> [UInt8] { response(json, secretValues: []) }

  /// Returns a response as ``response(_:)`` does, also without the texts in the values at some
  /// positions, which are in order.
  func response(_ json: [UInt8], secretValues: [Range<Int>]) -> [UInt8] {
    replacing(in: json, secretValues: secretValues, isSecret: isSecretField) {
      $0 == UInt8(ascii: "\"")
    }
  }

  /// Copies JSON text with the values of secret names replaced, if their first byte says so.
  ///
  /// Lists and objects that are not replaced as a whole keep their shape: each text in them is
  /// replaced. Line breaks, which are white space in valid text, become spaces.
  ///
  /// All texts in `secretValues` are replaced. These are positions of values in their order.
  ///
  /// `text` returns the literal in place of that of another text, or `nil` if it is no special one.
  private func replacing(
    in json: [UInt8], secretValues: [Range<Int>] = [], isSecret: (String) -> Bool,
    text special: (ArraySlice<UInt8>) -> [UInt8]? = { _ in nil }, _ replaces: (UInt8) -> Bool
  ) -> [UInt8] {
    let text = JSONText(json)
    let mark = Array("\"\(Self.mark)\"".utf8)
    var output: [UInt8] = []
    output.reserveCapacity(json.count)
    var position = 0
    /// The end of the secret list or object at the position.
    var secretEnd = 0
    var values = secretValues[...]
    while position < json.count {
      while let value = values.first, value.lowerBound <= position {
        secretEnd = max(secretEnd, value.upperBound)
        values.removeFirst()
      }
      let byte = json[position]
      guard byte == UInt8(ascii: "\"") else {
        output.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte)
        position += 1
        continue
      }
      let end = text.endOfString(at: position)
      let colon = text.skippingSpace(from: end)
      guard colon < json.count, json[colon] == UInt8(ascii: ":") else {
        let literal = json[position..<end]
        output += position < secretEnd ? mark : special(literal) ?? parameters(in: literal)
        position = end
        continue
      }
      let name = Self.name(json[position..<end])
      output += json[position..<end]
      output.append(UInt8(ascii: ":"))
      position = text.skippingSpace(from: colon + 1)
      guard position < json.count else { continue }
      if position < secretEnd, name == "__typename" || name == "id" {
        let valueEnd = text.endOfValue(at: position)
        output += json[position..<valueEnd]
        position = valueEnd
      } else if isSecret(name) {
        if replaces(json[position]) {
          output += mark
          position = text.endOfValue(at: position)
        } else if "[{".utf8.contains(json[position]) {
          secretEnd = max(secretEnd, text.endOfValue(at: position))
        }
      }
    }
    return output
  }

  /// Returns the name that a key with its quotation marks is.
  private static func name(_ key: ArraySlice<UInt8>) -> String {
    guard key.contains(UInt8(ascii: "\\")), case .string(let name)? = try? JSONValue(jsonBytes: key)
    else { return String(decoding: key.dropFirst().dropLast(), as: UTF8.self) }
    return name
  }
}

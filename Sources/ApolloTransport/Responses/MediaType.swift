/// The value of a `Content-Type` header.
///
/// Type, subtype and parameter names are compared without regard to case; the first of equally
/// named parameters counts. RFC 9110, section 8.3.1.
///
/// If there are several types with commas between them, the first one counts: section 8.3 describes
/// responses to which a server or a proxy has added another one.
package struct MediaType: Hashable, Sendable {
  /// `type/subtype` in lower case.
  package var essence: String
  /// By name in lower case, values unquoted.
  package var parameters: [String: String]

  /// Reads a header value; `nil` when it does not begin with `type/subtype`.
  package init?(_ text: String) {
    // Nearly every response has one of these.
    if text == "application/json" || text == "application/graphql-response+json" {
      essence = text
      parameters = [:]
      return
    }
    let pieces = Self.split(text)
    let essence = pieces[0].lowercased()
    let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy(Self.isToken) else { return nil }
    self.essence = essence
    parameters = [:]
    for piece in pieces.dropFirst() {
      guard let equals = piece.firstIndex(of: "=") else { continue }
      let name = Self.trimmed(piece[..<equals]).lowercased()
      guard parameters[name] == nil else { continue }
      parameters[name] = Self.unquoted(Self.trimmed(piece[piece.index(after: equals)...]))
    }
  }

  /// A Boolean value that indicates whether the text is UTF-8, which JSON is unless a parameter
  /// says something else.
  package var isUTF8: Bool {
    guard let charset = parameters["charset"]?.lowercased() else { return true }
    return charset.isEmpty || charset == "utf-8" || charset == "utf8" || charset == "us-ascii"
  }

  /// Cuts at semicolons that are not inside quotation marks, up to the first such comma.
  ///
  /// Strawberry writes `subscriptionSpec=1.0,application/json`, where the comma belongs to the
  /// value.
  private static func split(_ text: String) -> [String] {
    var pieces = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if character == ";" && !isQuoted {
        pieces.append("")
        continue
      }
      if character == "," && !isQuoted && !isSubscriptionSpec(pieces[pieces.count - 1]) { break }
      if character == "\"" && !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
      pieces[pieces.count - 1].append(character)
    }
    return pieces.map { trimmed($0[...]) }
  }

  private static func isSubscriptionSpec(_ parameter: String) -> Bool {
    trimmed(parameter[...]).lowercased().hasPrefix("subscriptionspec=")
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
    var value = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if character == "\\" && !isEscaped {
        isEscaped = true
      } else {
        value.append(character)
        isEscaped = false
      }
    }
    return value
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...last])
  }

  /// RFC 9110, section 5.6.2.
  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(HeaderField.isTokenByte)
  }
}

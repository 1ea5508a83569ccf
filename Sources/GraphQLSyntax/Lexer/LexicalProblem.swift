/// A reason why characters form no token.
enum LexicalProblem: Hashable, Sendable {
  case unexpectedCharacter(Character)
  /// An invalid character in a schema coordinate.
  case invalidCharacter(Character)
  case digitAfterZero(Character)
  case expectedDigit(Character)
  case unterminatedString
  case invalidEscape(String)
  case invalidUnicodeEscape(String)
  case tooManyTokens(limit: Int)

  /// A character of the text, or `nil` at its end.
  typealias Character = Unicode.Scalar?
}

extension LexicalProblem {
  /// The message, in the words of the reference implementation.
  var message: String {
    switch self {
    case .unexpectedCharacter("'"):
      "Unexpected single quote character ('), did you mean to use a double quote (\")?"
    case .unexpectedCharacter(let character):
      "Unexpected character: \(Self.describe(character))."
    case .invalidCharacter(let character):
      "Invalid character: \(Self.describe(character))."
    case .digitAfterZero(let character):
      "Invalid number, unexpected digit after 0: \(Self.describe(character))."
    case .expectedDigit(let character):
      "Invalid number, expected digit but got: \(Self.describe(character))."
    case .unterminatedString:
      "Unterminated string."
    case .invalidEscape(let text):
      "Invalid character escape sequence: \"\(text)\"."
    case .invalidUnicodeEscape(let text):
      "Invalid Unicode escape sequence: \"\(text)\"."
    case .tooManyTokens(let limit):
      "Document contains more than \(limit) tokens. Parsing aborted."
    }
  }

  /// Returns a description of `character`: `"x"`, `U+0000` or `<EOF>`.
  static func describe(_ character: Character) -> String {
    guard let character else { return "<EOF>" }
    if character == "\"" { return "'\"'" }
    if (" "..."~").contains(character) { return "\"\(character)\"" }
    let digits = String(character.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

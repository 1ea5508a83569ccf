/// A syntax error: the facts from which its message is made.
enum SyntaxProblem: Hashable, Sendable {
  case lexical(LexicalProblem)
  /// `found` is the description of a token, such as `Name "x"`.
  case expected(Token.Kind, found: String)
  case expectedKeyword(String, found: String)
  case expectedInCoordinate(String, found: String)
  case unexpected(found: String)
  case reservedEnumValue(found: String)
  case variableInConstant(String)
  case descriptionOnShorthand
  case misplacedDescription
  case tooDeep(limit: Int)
  case tooManyLists(limit: Int)
  case invalidUTF8
  case tooLarge
  case tooManyErrors(limit: Int)
}

extension SyntaxProblem {
  /// The message, in the words of the reference implementation if it reports the same problem.
  var message: String {
    "Syntax Error: " + sentence
  }

  private var sentence: String {
    switch self {
    case .lexical(let problem): problem.message
    case .expected(let kind, let found): "Expected \(kind.description), found \(found)."
    case .expectedKeyword(let keyword, let found): "Expected \"\(keyword)\", found \(found)."
    case .expectedInCoordinate(let token, let found): "Expected \(token), found \(found)."
    case .unexpected(let found): "Unexpected \(found)."
    case .reservedEnumValue(let found):
      "\(found) is reserved and cannot be used for an enum value."
    case .variableInConstant(let name): "Unexpected variable \"$\(name)\" in constant value."
    case .descriptionOnShorthand:
      "Unexpected description, descriptions are not supported on shorthand queries."
    case .misplacedDescription:
      "Unexpected description, descriptions are supported only on type definitions."
    case .tooDeep(let limit): "Nested more than \(limit) levels deep; make the document flatter."
    case .tooManyLists(let limit): "A type cannot be nested in more than \(limit) lists."
    case .invalidUTF8: "Invalid UTF-8; save the file with the encoding UTF-8."
    case .tooLarge: "The sources are larger than 4 GB together; split them."
    case .tooManyErrors(let limit): "More than \(limit) syntax errors; the rest is not checked."
    }
  }
}

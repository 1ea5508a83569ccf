extension Source {
  /// Removes the ignored characters: white space, commas, comments, byte order marks, and the
  /// layout of block strings.
  ///
  /// The result has the same meaning as the original text.
  /// - Returns: The shortened text, or `nil` with the lexical errors.
  public func strippingIgnoredCharacters() -> (text: String?, diagnostics: [Diagnostic]) {
    let (tokens, diagnostics) = tokens()
    guard diagnostics.isEmpty else { return (nil, diagnostics) }
    var output: [UInt8] = []
    var endsInWord = false
    for token in tokens.dropLast() {
      // Without a space, a number before an ellipsis would become another number.
      if endsInWord && (token.kind.isWord || token.kind == .spread) {
        output.append(UInt8(ascii: " "))
      }
      let text = paddedBytes[Int(token.span.start)..<Int(token.span.end)]
      if token.kind == .blockString {
        let value = BlockString.bytes(ofRaw: text.dropFirst(3).dropLast(3))
        output += BlockString.printed(value, minimizes: true)
      } else {
        output += text
      }
      endsInWord = token.kind.isWord
    }
    return (String(decoding: output, as: UTF8.self), [])
  }
}

extension Token.Kind {
  /// A Boolean value that indicates whether two adjacent tokens of these kinds need a separator.
  fileprivate var isWord: Bool {
    switch self {
    case .name, .int, .float, .string, .blockString: true
    default: false
    }
  }
}

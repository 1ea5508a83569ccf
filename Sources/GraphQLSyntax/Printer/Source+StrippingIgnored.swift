extension Source {
  /// The text without what is ignored: white space, commas, comments, byte order marks, and the
  /// layout of block strings. It means the same, and needs no schema to be made.
  ///
  /// - Returns: The text; nil if it has lexical errors.
  public func strippingIgnoredCharacters() -> (text: String?, diagnostics: [Diagnostic]) {
    let (tokens, diagnostics) = tokens()
    guard diagnostics.isEmpty else { return (nil, diagnostics) }
    var output: [UInt8] = []
    var endsInWord = false
    for token in tokens.dropLast() {
      // A number and an ellipsis without a space between them would be another number.
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
  /// Whether two of them need something between them.
  fileprivate var isWord: Bool {
    switch self {
    case .name, .int, .float, .string, .blockString: true
    default: false
    }
  }
}

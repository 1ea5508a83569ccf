extension Source {
  /// The tokens of the text and its lexical errors.
  ///
  /// - Parameter keepsComments: Whether comments are tokens too.
  /// - Returns: The tokens, of which the last is `.endOfFile`. Offsets are those of a source map
  ///   that has only this source.
  package func tokens(
    keepsComments: Bool = false
  ) -> (tokens: [Token], diagnostics: [Diagnostic]) {
    paddedBytes.withUnsafeBufferPointer { padded in
      if let invalid = UnsafeBufferPointer(rebasing: padded[..<count]).firstInvalidUTF8Index() {
        return ([], [Diagnostic(.invalidUTF8, at: SourceSpan(at: UInt32(clamping: invalid)))])
      }
      var lexer = Lexer(bytes: padded.baseAddress.unsafelyUnwrapped, count: count, base: 0)
      lexer.keepsComments = keepsComments
      return lexer.allTokens()
    }
  }
}

extension Source {
  /// How many tokens the text has, which is what ``ParserOptions/tokenLimit`` limits.
  ///
  /// Neither comments nor the end are tokens; what is none, counts as one. Invalid UTF-8 has none.
  /// - Complexity: O(*n*) in the bytes of the text.
  public var tokenCount: Int {
    paddedBytes.withUnsafeBufferPointer { padded in
      let bytes = UnsafeBufferPointer(rebasing: padded[..<count])
      guard bytes.firstInvalidUTF8Index() == nil else { return 0 }
      var lexer = Lexer(bytes: padded.baseAddress.unsafelyUnwrapped, count: count, base: 0)
      var names = NameTable()
      names.reserveCapacity(forSourceOf: count)
      var tokenCount = 0
      while lexer.next(interning: &names).kind != .endOfFile { tokenCount += 1 }
      return tokenCount
    }
  }
}

extension Lexer {
  fileprivate mutating func allTokens() -> (tokens: [Token], diagnostics: [Diagnostic]) {
    var names = NameTable()
    var tokens: [Token] = []
    var diagnostics: [Diagnostic] = []
    while tokens.last?.kind != .endOfFile {
      let token = next(interning: &names)
      tokens.append(token)
      if token.kind == .invalid, let problem {
        diagnostics.append(Diagnostic(.lexical(problem.kind), at: problem.span))
      }
    }
    return (tokens, diagnostics)
  }
}

extension Source {
  /// Reads all tokens of the text.
  ///
  /// - Parameter keepsComments: Whether comments are returned as tokens.
  /// - Returns: The tokens, which end with `.endOfFile`, and the lexical errors. Spans are offsets
  ///   of a source map that contains this source alone.
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
  /// The number of tokens in the text, as ``ParserOptions/tokenLimit`` counts them.
  ///
  /// Comments and the end of the file do not count. Each sequence of invalid characters counts as
  /// one token. The count is zero for a text that is not valid UTF-8.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
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

extension Parser {
  /// Type :
  ///   - NamedType
  ///   - ListType
  ///   - NonNullType
  ///
  /// Spec: 2.11, "Type References".
  mutating func parseTypeReference() throws(SyntaxAbort) -> TypeReference {
    let start = token.span.start
    var listDepth = 0
    while token.kind == .leftBracket {
      guard listDepth < TypeWrapping.maximumListDepth else {
        throw fail(.tooManyLists(limit: TypeWrapping.maximumListDepth))
      }
      advance()
      listDepth += 1
    }
    let name = try parseName()
    var wrapping = parseNonNull(TypeWrapping.named)
    for _ in 0..<listDepth {
      try expect(.rightBracket)
      wrapping = parseNonNull(wrapping.list)
    }
    return TypeReference(name: name, wrapping: wrapping, span: span(from: start))
  }

  @inline(__always)
  private mutating func parseNonNull(_ wrapping: TypeWrapping) -> TypeWrapping {
    skip(.bang) ? wrapping.nonNull : wrapping
  }
}

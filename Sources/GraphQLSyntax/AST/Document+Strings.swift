extension Document {
  /// What `literal` means: without quotes, escapes replaced; of a block string, without the common
  /// indentation and without blank lines at its ends.
  ///
  /// Spec: 2.9.4, "String Value".
  public func string(_ literal: StringLiteral) -> String {
    let written = sources.bytes(of: literal.span)
    return literal.isBlock
      ? BlockString.value(ofRaw: written.dropFirst(3).dropLast(3))
      : QuotedString.value(ofRaw: written.dropFirst().dropLast())
  }

  /// What `literal` means; nil when there is none.
  public func string(_ literal: StringLiteral?) -> String? {
    literal.map { string($0) }
  }
}

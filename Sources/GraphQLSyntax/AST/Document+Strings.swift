extension Document {
  /// Returns the value of `literal`.
  ///
  /// For a quoted string, that is the text with its escapes replaced. For a block string, it is the
  /// text without its common indentation and without blank lines at either end.
  ///
  /// Spec: 2.9.4, "String Value".
  public func string(_ literal: StringLiteral) -> String {
    let written = sources.bytes(of: literal.span)
    return literal.isBlock
      ? BlockString.value(ofRaw: written.dropFirst(3).dropLast(3))
      : QuotedString.value(ofRaw: written.dropFirst().dropLast())
  }

  /// Appends the value of `literal` to `output`, in UTF-8.
  package func append(_ literal: StringLiteral, to output: inout [UInt8]) {
    let written = sources.bytes(of: literal.span)
    if literal.isBlock {
      written.dropFirst(3).dropLast(3).withUnsafeBufferPointer {
        BlockString.appendValue(ofRaw: $0, to: &output)
      }
    } else {
      QuotedString.appendValue(ofRaw: written.dropFirst().dropLast(), to: &output)
    }
  }

  /// Returns the value of `literal`, or `nil` for no literal.
  public func string(_ literal: StringLiteral?) -> String? {
    literal.map { string($0) }
  }
}

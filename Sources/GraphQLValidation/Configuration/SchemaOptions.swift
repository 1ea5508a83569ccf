public import GraphQLSyntax

/// The options for building a schema.
///
/// ```swift
/// let options = SchemaOptions(severities: ["InterfaceImplementations": .warning])
/// let result = Schema.build([.sdl(source)], options: options)
/// ```
public struct SchemaOptions: Sendable {
  /// The severities of rules. A rule without one is an error.
  ///
  /// Published schemas break rules, and can be used if the severities of these rules are
  /// `RuleSeverity.warning` or `RuleSeverity.off`. The schema is then built without the parts
  /// that cannot be interpreted, such as a field of an unknown type.
  public var severities: [Diagnostic.Rule: RuleSeverity]
  /// The limits of the parser.
  public var parser: ParserOptions

  /// Creates options. By default, every violation is an error.
  public init(
    severities: [Diagnostic.Rule: RuleSeverity] = [:],
    parser: ParserOptions = ParserOptions()
  ) {
    self.severities = severities
    self.parser = parser
  }
}

extension SchemaOptions {
  /// Reports the characters that make the text of schemas or operations misleading.
  ///
  /// They are warnings unless ``severities`` contains the rule `BidirectionalControls`.
  /// - Complexity: O(*n*), where *n* is the number of bytes in all sources.
  package func misleadingText(in sources: SourceMap) -> [Diagnostic] {
    let severity = severities[.bidirectionalControls] ?? .warning
    return severity.diagnosticSeverity.map { sources.bidirectionalControls($0) } ?? []
  }
}

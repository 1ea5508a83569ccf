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
  /// Rules that published schemas break, although servers and their operations work, as warnings.
  ///
  /// A client's project can seldom change its schema.
  package static let toleratedRules: [Diagnostic.Rule: RuleSeverity] = Dictionary(
    uniqueKeysWithValues: [
      "DefaultValueCycles", "DefaultValues", "DeprecatedImplementations", "DirectiveArguments",
      "DirectiveCycles", "InterfaceImplementations", "KnownArgumentNamesOnDirectives",
      "KnownDirectives",
      "ProvidedRequiredArgumentsOnDirectives", "RequiredDeprecations", "ReservedNames",
      "UniqueDirectivesPerLocation", "UniqueFieldDefinitionNames",
      "ValuesOfCorrectTypeOnDirectives",
    ].map { (Diagnostic.Rule(rawValue: $0), .warning) })

  /// Reports the characters that make the text of schemas or operations misleading.
  ///
  /// They are warnings unless ``severities`` contains the rule `BidirectionalControls`.
  /// - Complexity: O(*n*), where *n* is the number of bytes in all sources.
  package func misleadingText(in sources: SourceMap) -> [Diagnostic] {
    let severity = severities[.bidirectionalControls] ?? .warning
    return severity.diagnosticSeverity.map { sources.bidirectionalControls($0) } ?? []
  }
}

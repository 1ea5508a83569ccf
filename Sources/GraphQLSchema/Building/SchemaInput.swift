public import GraphQLSyntax

/// An input of ``Schema/build(_:options:)``.
public enum SchemaInput: Sendable {
  /// A text of definitions and extensions.
  case sdl(Source)
  /// The JSON response to an introspection query, or the value of `data` in it.
  case introspection(Source)

  /// Creates an input from SDL or JSON, depending on the first characters of `source`.
  ///
  /// A JSON object starts with a brace and a quotation mark or another brace, which never occurs in
  /// SDL.
  public init(detecting source: Source) {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let start = source.bytes.lazy.filter { !spaces.contains($0) }.prefix(2)
    let isObject = start.elementsEqual(Array("{}".utf8)) || start.elementsEqual(Array("{\"".utf8))
    self = isObject ? .introspection(source) : .sdl(source)
  }
}

/// The options for building a schema.
///
/// ```swift
/// let options = SchemaOptions(severities: ["InterfaceImplementations": .warning])
/// let result = Schema.build([.sdl(source)], options: options)
/// ```
public struct SchemaOptions: Sendable {
  /// The rules that can be given a severity, sorted by name. They do not include the syntax of the
  /// inputs, whose violations are always errors.
  public static let rules: [Diagnostic.Rule] =
    (DefinitionValidation.ruleNames + SchemaValidation.rules.map { $0.name }
    + [DeprecatedImplementations.name, .bidirectionalControls])
    .sorted { $0.rawValue < $1.rawValue }

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

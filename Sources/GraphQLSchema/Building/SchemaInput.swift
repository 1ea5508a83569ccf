public import GraphQLSyntax

/// Something to build a schema from.
public enum SchemaInput: Sendable {
  /// Definitions and extensions.
  case sdl(Source)
  /// The JSON of an introspection query's response, or of the `data` in it.
  case introspection(Source)

  /// SDL or JSON, whichever `source` seems to be: an object of JSON starts with a brace and a quotation
  /// mark or another brace, which GraphQL never does.
  public init(detecting source: Source) {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let start = source.bytes.lazy.filter { !spaces.contains($0) }.prefix(2)
    let isObject = start.elementsEqual(Array("{}".utf8)) || start.elementsEqual(Array("{\"".utf8))
    self = isObject ? .introspection(source) : .sdl(source)
  }
}

/// How strict to be with schemas, and how far to go.
public struct SchemaOptions: Sendable {
  /// All rules whose severity can be changed, by name. That what is read has to be GraphQL or JSON is
  /// none of them.
  public static let rules: [Diagnostic.Rule] =
    (DefinitionValidation.ruleNames + SchemaValidation.rules.map { $0.name }
    + [DeprecatedImplementations.name, .bidirectionalControls])
    .sorted { $0.rawValue < $1.rawValue }

  /// The severity of violations by rule, where it is not ``Diagnostic/Severity/error``.
  ///
  /// Published schemas break rules. A schema whose violations are warnings only can be used; what
  /// breaks a rule is left out of it, or kept, whichever hurts less.
  public var severities: [Diagnostic.Rule: Diagnostic.Severity]
  /// The rules whose violations are not even reported; otherwise they are like warnings.
  public var silencedRules: Set<Diagnostic.Rule>
  /// What the parser accepts at most.
  public var parser: ParserOptions

  /// Options where every violation is an error, unless others are given.
  public init(
    severities: [Diagnostic.Rule: Diagnostic.Severity] = [:],
    silencedRules: Set<Diagnostic.Rule> = [],
    parser: ParserOptions = ParserOptions()
  ) {
    self.severities = severities
    self.silencedRules = silencedRules
    self.parser = parser
  }
}

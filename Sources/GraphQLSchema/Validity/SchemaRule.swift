import GraphQLSyntax

/// A rule for a schema as a whole, which runs after all definitions are merged.
///
/// A rule is an enumeration without cases in a file of its own. To add one, list it in
/// ``SchemaValidation/rules``.
protocol SchemaRule: SendableMetatype {
  /// The name of the rule in diagnostics and configurations.
  static var name: Diagnostic.Rule { get }

  /// Reports every violation.
  static func check(_ context: inout SchemaValidation)
}

/// The input of the rules and the collector of their diagnostics.
struct SchemaValidation {
  let schema: Schema
  var suggestions = Suggestions()
  private var report: SchemaReport

  init(_ schema: Schema, options: SchemaOptions) {
    self.schema = schema
    report = SchemaReport(options)
  }

  /// Reports a violation.
  ///
  /// - Parameters:
  ///   - rule: The violated rule.
  ///   - message: The message, in the words of the reference implementation.
  ///   - spans: The spans to point at, the most important one first. Elements that appear in no
  ///     text are `nil`.
  mutating func report(
    _ rule: any SchemaRule.Type, _ message: String, at spans: [LabeledSpan?]
  ) {
    report.add(rule.name, message, at: spans.compactMap { $0 })
  }

  /// A Boolean value that indicates whether further violations are dropped.
  var isFull: Bool { report.isFull }
}

extension SchemaValidation {
  /// All rules, in the order in which their diagnostics are reported.
  static let rules: [any SchemaRule.Type] = [
    RootOperationTypes.self,
    ReservedNames.self,
    DirectiveArguments.self,
    DirectiveCycles.self,
    OutputFields.self,
    InterfaceImplementations.self,
    UnionMembers.self,
    EnumValues.self,
    InputFields.self,
    OneOfInputObjects.self,
    InputObjectCycles.self,
    RequiredDeprecations.self,
    DefaultValues.self,
    DefaultValueCycles.self,
  ]

  /// Checks `schema` as a whole.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the schema.
  static func diagnostics(of schema: Schema, options: SchemaOptions) -> [Diagnostic] {
    var validation = SchemaValidation(schema, options: options)
    for rule in rules { rule.check(&validation) }
    return validation.report.diagnostics
  }
}

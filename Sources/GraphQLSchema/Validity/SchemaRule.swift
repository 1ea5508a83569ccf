import GraphQLSyntax

/// One thing that must hold for a schema as a whole, checked when all of it is known.
protocol SchemaRule: SendableMetatype {
  /// How diagnostics and configurations call the rule.
  static var name: Diagnostic.Rule { get }

  /// Reports every violation.
  static func check(_ context: inout SchemaValidation)
}

/// What rules read and where they report.
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
  ///   - rule: The rule that is broken.
  ///   - message: Worded as the reference implementation words it.
  ///   - places: Where to look, the most important place first; what is nil was not written
  ///     anywhere.
  mutating func report(
    _ rule: any SchemaRule.Type, _ message: String, at places: [Place?]
  ) {
    report.add(rule.name, message, at: places.compactMap { $0 })
  }

  /// Whether so much was found that the rest is not reported.
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

  /// Everything that is wrong with `schema` as a whole.
  ///
  /// - Complexity: O(*n*) in the size of the schema.
  static func diagnostics(of schema: Schema, options: SchemaOptions) -> [Diagnostic] {
    var validation = SchemaValidation(schema, options: options)
    for rule in rules { rule.check(&validation) }
    return validation.report.diagnostics
  }
}

public import GraphQLSchema
public import GraphQLSyntax

/// A schema, with the problems found while building it.
public struct SchemaResult: Sendable {
  /// The schema. It is complete and valid if there are no errors; otherwise it lacks the faulty
  /// parts.
  public var schema: Schema
  /// All problems, in the order of the texts.
  public var diagnostics: [Diagnostic]

  /// A Boolean value that indicates whether operations can be validated against the schema: it has
  /// no errors. Warnings do not matter.
  public var isUsable: Bool { !diagnostics.contains { $0.severity == .error } }
}

extension Schema {
  /// Reads, builds and validates a schema.
  ///
  /// ```swift
  /// let source = Source(name: "schema.graphqls", text: "type Query { hero: String }")
  /// let result = Schema.build([.sdl(source)])
  /// print(DiagnosticFormat.text.render(result.diagnostics, in: result.schema.document.sources))
  /// ```
  ///
  /// All inputs form one schema. Definitions and extensions can appear in any input and in any
  /// order. If there is introspection JSON, the SDL inputs extend the schema that it describes.
  ///
  /// 1. Read all inputs and merge their definitions (`SchemaDraft`).
  /// 2. Check the definitions, unless an input cannot be read.
  /// 3. Check the schema as a whole, unless types are unknown.
  ///
  /// Each stage stops at errors that would cause misleading errors in the next one.
  /// - Parameters:
  ///   - inputs: SDL and introspection JSON.
  ///   - options: The severities of the rules and the limits of the parser.
  /// - Returns: The schema and all problems.
  /// - Complexity: O(*n*) in the size of the inputs.
  public static func build(
    _ inputs: [SchemaInput], options: SchemaOptions = SchemaOptions()
  ) -> SchemaResult {
    build(SchemaDraft(inputs, parser: options.parser), options)
  }

  /// Builds the schema of `base`, extended by `inputs`, for tests.
  package static func build(
    _ base: [SchemaInput], extendedBy inputs: [SchemaInput], options: SchemaOptions
  ) -> SchemaResult {
    build(SchemaDraft(base, extendedBy: inputs, parser: options.parser), options)
  }

  private static func build(_ draft: SchemaDraft, _ options: SchemaOptions) -> SchemaResult {
    var diagnostics = draft.diagnostics
    // An input that cannot be read leaves gaps, which the rules would report as errors elsewhere.
    if !diagnostics.contains(where: { $0.severity == .error }) {
      let found = draft.violationsInDefinitions(options)
      diagnostics += found
      if !found.contains(where: { $0.severity == .error && $0.rule == KnownTypeNames.name }) {
        diagnostics += draft.violationsOfSchema(options)
      }
    }
    return SchemaResult(schema: draft.schema, diagnostics: draft.located(diagnostics))
  }
}

extension SchemaDraft {
  /// Checks the definitions, rule by rule.
  fileprivate func violationsInDefinitions(_ options: SchemaOptions) -> [Diagnostic] {
    var context = ValidationContext(
      schema.document, against: schema, names: .schema, options.effects)
    let definitions = SchemaDefinitions(of: self)
    for rule in Rules.ofDefinitions { rule.check(definitions, in: &context) }
    for (doubt, rule) in Rules.ofDoubtfulDefinitions where doubts.contains(doubt) {
      rule.check(definitions, in: &context)
    }
    return context.diagnostics
  }

  /// Checks the schema as a whole, rule by rule.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the schema.
  fileprivate func violationsOfSchema(_ options: SchemaOptions) -> [Diagnostic] {
    var context = ValidationContext(
      schema.document, against: schema, names: .schema, options.effects)
    for rule in Rules.ofSchemas { rule.check(schema, in: &context) }
    return context.diagnostics
  }
}

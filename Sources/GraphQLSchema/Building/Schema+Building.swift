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
  /// 1. Parse all inputs into one document, after the built-in definitions. Introspection JSON is
  ///    transcribed to SDL first.
  /// 2. Register the names of types and directives, and assign each extension to its type.
  /// 3. Resolve the members of each type, those of the definition first and those of its extensions
  ///    after them.
  /// 4. Find the possible types of interfaces and unions, and the root operation types.
  /// 5. Check the definitions (`DefinitionRule`), unless an input cannot be read.
  /// 6. Check the schema as a whole (`SchemaRule`), unless types are unknown.
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
    let base = inputs.filter(\.isIntrospection)
    let rest = inputs.filter { !$0.isIntrospection }
    return build(rest.isEmpty ? [] : base, extendedBy: rest.isEmpty ? base : rest, options: options)
  }

  /// Builds the schema of `base`, extended by `inputs`.
  static func build(
    _ base: [SchemaInput], extendedBy inputs: [SchemaInput], options: SchemaOptions
  ) -> SchemaResult {
    var reader = SchemaReader(options: options.parser)
    reader.read(base)
    let baseEnd = base.isEmpty ? nil : reader.document.definitions.count
    reader.read(inputs)
    let (schema, possibleViolations) = SchemaBuilder.build(
      reader.document, upon: BuiltIns.schema, baseEnd: baseEnd)
    // An input that cannot be read leaves gaps, which the rules would report as errors elsewhere.
    guard !reader.diagnostics.contains(where: { $0.severity == .error }) else {
      return SchemaResult(schema: schema, diagnostics: reader.located(reader.diagnostics))
    }
    var diagnostics = reader.diagnostics
    diagnostics += DefinitionValidation.diagnostics(
      of: schema, builtInCount: BuiltIns.schema.document.definitions.count, baseEnd: baseEnd,
      possibleViolations: possibleViolations, options: options)
    if !diagnostics.contains(where: { $0.severity == .error && $0.rule == KnownTypeNames.name }) {
      diagnostics += SchemaValidation.diagnostics(of: schema, options: options)
    }
    return SchemaResult(schema: schema, diagnostics: reader.located(diagnostics))
  }
}

extension SchemaInput {
  fileprivate var isIntrospection: Bool {
    if case .introspection = self { true } else { false }
  }
}

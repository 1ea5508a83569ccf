public import GraphQLSyntax

/// A schema and what is wrong with it.
public struct SchemaResult: Sendable {
  /// The schema, built as well as possible; complete and valid when there are no errors.
  public var schema: Schema
  /// All problems, in the order of the texts.
  public var diagnostics: [Diagnostic]

  /// Whether operations can be checked against the schema: there are warnings at most.
  public var isUsable: Bool { !diagnostics.contains { $0.severity == .error } }
}

extension Schema {
  /// Reads, builds and validates a schema.
  ///
  /// All inputs are one schema: definitions and extensions may stand in any of them and in any
  /// order. Where there is introspection JSON, the SDL extends what it describes.
  ///
  /// ```swift
  /// let source = Source(name: "schema.graphqls", text: "type Query { a: Int }")
  /// let result = Schema.build([.sdl(source)])
  /// if result.isUsable { use(result.schema) }
  /// ```
  ///
  /// - Complexity: O(*n*) in the size of the inputs.
  public static func build(
    _ inputs: [SchemaInput], options: SchemaOptions = SchemaOptions()
  ) -> SchemaResult {
    let base = inputs.filter(\.isIntrospection)
    let rest = inputs.filter { !$0.isIntrospection }
    return build(rest.isEmpty ? [] : base, extendedBy: rest.isEmpty ? base : rest, options: options)
  }

  /// Builds the schema of `base`, which `inputs` extend.
  static func build(
    _ base: [SchemaInput], extendedBy inputs: [SchemaInput], options: SchemaOptions
  ) -> SchemaResult {
    var reader = SchemaReader(options: options.parser)
    for input in base { reader.read(input) }
    let baseEnd = base.isEmpty ? nil : reader.document.definitions.count
    for input in inputs { reader.read(input) }
    let (schema, suspicions) = SchemaBuilder.build(
      reader.document, upon: BuiltIns.schema, baseEnd: baseEnd)
    // What could not be read is missing, so rules would blame the rest for it.
    guard !reader.diagnostics.contains(where: { $0.severity == .error }) else {
      return SchemaResult(schema: schema, diagnostics: reader.located(reader.diagnostics))
    }
    var diagnostics = reader.diagnostics
    diagnostics += DefinitionValidation.diagnostics(
      of: schema, builtInCount: BuiltIns.schema.document.definitions.count, baseEnd: baseEnd,
      suspicions: suspicions, options: options)
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

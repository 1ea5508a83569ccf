package import GraphQLSyntax

/// A schema as its inputs define it, before its rules are checked.
///
/// 1. Parse all inputs into one document, after the built-in definitions. Introspection JSON is
///    transcribed to SDL first.
/// 2. Register the names of types and directives, and assign each extension to its type.
/// 3. Resolve the members of each type, those of the definition first and those of its extensions
///    after them.
/// 4. Find the possible types of interfaces and unions, and the root operation types.
package struct SchemaDraft {
  /// The schema, without the parts that cannot be interpreted.
  package let schema: Schema
  /// The problems of reading the inputs.
  package let diagnostics: [Diagnostic]
  /// The positions of the definitions that the inputs add to the built-in ones and to the base.
  package let definitions: Range<Int>
  /// The positions of the base schema's definitions, with the built-in ones, or `nil` if there is
  /// no base schema.
  package let base: Range<Int>?
  /// The rules that the definitions may violate, as far as building shows it.
  package let doubts: SchemaDoubts
  private let reader: SchemaReader

  /// Reads inputs that form one schema. If there is introspection JSON, the SDL extends it.
  ///
  /// - Complexity: O(*n*) in the size of the inputs.
  package init(_ inputs: [SchemaInput], parser: ParserOptions) {
    let base = inputs.filter(\.isIntrospection)
    let rest = inputs.filter { !$0.isIntrospection }
    self.init(
      rest.isEmpty ? [] : base, extendedBy: rest.isEmpty ? base : rest, parser: parser)
  }

  /// Reads the schema of `base`, extended by `inputs`.
  package init(_ base: [SchemaInput], extendedBy inputs: [SchemaInput], parser: ParserOptions) {
    var reader = SchemaReader(options: parser)
    reader.read(base)
    let baseEnd = base.isEmpty ? nil : reader.document.definitions.count
    reader.read(inputs)
    let builtIns = BuiltIns.schema(for: parser)
    (schema, doubts) = SchemaBuilder.build(reader.document, upon: builtIns, baseEnd: baseEnd)
    let start = baseEnd ?? builtIns.document.definitions.count
    definitions = start..<reader.document.definitions.count
    self.base = baseEnd.map { 0..<$0 }
    diagnostics = reader.diagnostics
    self.reader = reader
  }

  /// Sorts `diagnostics` by position, after moving those in transcribed SDL to the JSON it came
  /// from.
  package func located(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    reader.located(diagnostics)
  }
}

extension SchemaInput {
  fileprivate var isIntrospection: Bool {
    if case .introspection = self { true } else { false }
  }
}

// modules: GraphQLSyntax GraphQLSchema GraphQLValidation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A schema with one element of each kind that rules check.
private let usualSchema = Schema.build([
  .sdl(
    Source(
      name: "schema",
      text: """
        type Query { a(x: Int, i: I, e: [E!] = [A]): Query! b: N c: U s: String l: [[Query]] d(id: ID!): S }
        type Mutation { a: Query }
        type Subscription { a: Query b: Int }
        interface N { a: Query s: String n: [N] }
        type A implements N { a: Query s: String n: [N] z: Int }
        type B implements N { a: Query s: String n: [N] z: String }
        union U = A | B
        enum E { A B @deprecated(reason: "Use `A`.") }
        scalar S
        input I { a: Int! = 1 b: [I!] o: O e: E }
        input O @oneOf { a: Int b: String }
        directive @d(x: Int!) repeatable on FIELD | QUERY | VARIABLE_DEFINITION
        """))
]).schema

/// Every rule, including those that are off by default.
private let everyRule = ValidationConfiguration(
  severities: Dictionary(
    uniqueKeysWithValues: ValidationRule.allCases.map { ($0, .warning) }))

/// The configuration that allows every fault of a schema that can be allowed.
private let allowingFaults = SchemaOptions(
  severities: Dictionary(uniqueKeysWithValues: SchemaOptions.rules.map { ($0, .warning) }))

/// Validation ends for every document and schema. Findings lie in the document and can be rendered
/// and fixed. A valid document is fully resolved and stays valid when it is printed.
///
/// The input is a document, or a schema and a document with a line `---` between them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzValidation(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: bytes, count: count)
  let (schema, isSound, text) = parts(of: input)
  for options in [ParserOptions(), ParserOptions(allowsFragmentArguments: true)] {
    check(Source(name: "input", bytes: text), options, schema, isSound: isSound)
  }
  return 0
}

private func check(
  _ source: Source, _ options: ParserOptions, _ schema: Schema, isSound: Bool
) {
  var document = Document(names: schema.names, sources: schema.document.sources)
  let problems = document.parse(source, options: options)
  let found = validate(document, against: schema, configuration: everyRule).diagnostics
  for diagnostics in [problems, found] { checkDiagnostics(diagnostics, in: document.sources) }
  if problems.isEmpty { checkFixIts(of: found, options, in: document.sources) }
  guard problems.isEmpty, isSound, let valid = validate(document, against: schema).document else {
    return
  }
  // The fields of fragments with variables have copies in place of the spreads.
  for index in valid.document.fields.indices where !document.hasFragmentArguments {
    precondition(
      valid.types.definition(of: Field.ID(rawValue: UInt32(index))) != nil,
      "Each field of a valid document has a definition.")
  }
  for index in valid.document.operations.indices {
    _ = valid.coordinates(usedBy: OperationDefinition.ID(rawValue: UInt32(index)))
  }
  var printed = Document(names: schema.names)
  precondition(printed.parse(Source(name: "printed", text: valid.document.printed())).isEmpty)
  precondition(validate(printed, against: schema).document != nil, "Printing preserves validity.")
}

/// The schema of an input, a flag for whether it could be read, and the text of its document.
///
/// All faults of the schema that can be allowed are allowed.
private func parts(
  of input: UnsafeBufferPointer<UInt8>
) -> (Schema, isSound: Bool, text: Slice<UnsafeBufferPointer<UInt8>>) {
  let separator = Array("\n---\n".utf8)
  for index in input.indices where input[index] == separator[0] {
    guard input[index...].starts(with: separator) else { continue }
    let source = Source(name: "schema", bytes: input[..<index])
    let result = Schema.build([SchemaInput(detecting: source)], options: allowingFaults)
    checkDiagnostics(result.diagnostics, in: result.schema.document.sources)
    return (result.schema, result.isUsable, input[(index + separator.count)...])
  }
  return (usualSchema, true, input[...])
}

/// Diagnostics point into their sources, and can be written in every format.
private func checkDiagnostics(_ diagnostics: [Diagnostic], in sources: SourceMap) {
  for diagnostic in diagnostics {
    let spans =
      [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
      + diagnostic.fixIts.flatMap { $0.edits.map(\.span) }
    for span in spans {
      let source = sources.span(ofSourceAt: sources.sourceIndex(at: span.start))
      precondition(
        source.start <= span.start && span.start <= span.end && span.end <= source.end,
        "A diagnostic points into one source.")
    }
  }
  for format in DiagnosticFormat.allCases {
    for isColored in [false, true] {
      let text = format.render(diagnostics, in: sources, isColored: isColored)
      precondition(diagnostics.isEmpty || text.hasSuffix("\n"), "Diagnostics are rendered.")
    }
  }
}

/// A document that parses does so after its fix-its, and after those that these bring about.
private func checkFixIts(
  of diagnostics: [Diagnostic], _ options: ParserOptions, in sources: SourceMap
) {
  let (changed, count) = sources.applyingFixIts(of: diagnostics)
  precondition(
    (count == 0) == diagnostics.allSatisfy(\.fixIts.isEmpty), "At least one fix-it can be applied.")
  for source in changed.values {
    var document = Document()
    precondition(
      document.parse(source, options: options).isEmpty, "A corrected document can be parsed.")
  }
}

// modules: GraphQLSyntax GraphQLSchema GraphQLValidation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A schema with one of everything that rules look at.
private let schema = Schema.build([
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

/// Every document ends in a verdict; what is found lies in the document, and can be shown and applied;
/// what is valid is entirely resolved and stays valid when it is printed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzValidation(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var document = Document(names: schema.names, sources: schema.document.sources)
  let source = Source(name: "input", bytes: UnsafeBufferPointer(start: bytes, count: count))
  let problems = document.parse(source)
  let severities = Dictionary(
    uniqueKeysWithValues: ValidationRule.allCases.map {
      ($0, ValidationConfiguration.Severity.warning)
    })
  let everything = validate(
    document, against: schema, configuration: ValidationConfiguration(severities: severities))
  for format in DiagnosticFormat.allCases {
    _ = format.render(everything.diagnostics, in: document.sources)
  }
  _ = document.sources.applyingFixIts(of: everything.diagnostics)
  guard problems.isEmpty, let valid = validate(document, against: schema).document else { return 0 }
  for index in document.fields.indices {
    precondition(
      valid.types.definition(of: Field.ID(rawValue: UInt32(index))) != nil,
      "Each field of a valid document has a definition.")
  }
  for index in document.operations.indices {
    _ = valid.coordinates(usedBy: OperationDefinition.ID(rawValue: UInt32(index)))
  }
  var printed = Document(names: schema.names)
  precondition(printed.parse(Source(name: "printed", text: document.printed())).isEmpty)
  precondition(validate(printed, against: schema).document != nil, "Printing keeps what is valid.")
  return 0
}

import GraphQLSchema
import GraphQLSyntax

@testable import GraphQLValidation

// The examples in the documentation of the module, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two, and `DocumentationExampleTests` runs some of them.

private func build(_ source: Source) {
  do {
    let options = SchemaOptions(severities: ["InterfaceImplementations": .warning])
    let result = Schema.build([.sdl(source)], options: options)
    _ = result
  }
  let source = Source(name: "schema.graphqls", text: "type Query { hero: String }")
  let result = Schema.build([.sdl(source)])
  print(DiagnosticFormat.text.render(result.diagnostics, in: result.schema.document.sources))
}

private func check(_ operations: String, against sdl: String) {
  let schema = Schema.build([.sdl(Source(name: "schema.graphqls", text: sdl))]).schema
  var document = Document(names: schema.names, sources: schema.document.sources)
  var diagnostics = document.parse(Source(name: "Hero.graphql", text: operations))
  let result = validate(document, against: schema)
  diagnostics += result.diagnostics
  print(DiagnosticFormat.text.render(diagnostics, in: document.sources))
}

private func check(_ document: Document, against schema: Schema) {
  do {
    let configuration = ValidationConfiguration(severities: [
      .noUnusedFragments: .off, .noDeprecated: .warning,
    ])
    let result = validate(document, against: schema, configuration: configuration)
    _ = result
  }
  guard let valid = validate(document, against: schema).document else { return }
  for index in valid.document.operations.indices {
    let operation = OperationDefinition.ID(rawValue: UInt32(index))
    print(valid.coordinates(usedBy: operation))  // ["Query", "Query.hero", …]
  }
}

private enum ExampleRules {
  /// An anonymous operation is the only operation of its document.
  enum LoneAnonymousOperation: Rule {
    static let name = ValidationRule.loneAnonymousOperation.diagnosticRule

    static func check(in context: inout ValidationContext) {
      guard context.document.operations.count > 1 else { return }
      for operation in context.document.operations where operation.name == nil {
        context.report(Self.self, "Only one operation may be anonymous.", at: operation.span)
      }
    }
  }
}

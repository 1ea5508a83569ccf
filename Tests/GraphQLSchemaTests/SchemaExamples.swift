import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

// The examples in the documentation of the module, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two, and `DocumentationExampleTests` runs them.

private func build() {
  let source = Source(name: "schema.graphqls", text: "type Query { hero(id: ID!): String }")
  let schema = Schema.build([.sdl(source)]).schema
  if let query = schema.rootType(.query) {
    for id in schema[query].fields {
      let field = schema[id]
      print(schema.spelling(field.name), schema.spelling(field.type))  // "hero String"
    }
  }
}

private func printSorted(_ source: Source) {
  let schema = Schema.build([.sdl(source)]).schema
  print(schema.printed(order: .name))
}

private func compare(_ newSchema: Schema, _ oldSchema: Schema) {
  for change in newSchema.changes(since: oldSchema) where change.criticality == .breaking {
    print("\(change.coordinate): \(change.message)")
  }
}

// modules: GraphQLSyntax GraphQLSchema GraphQLValidation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Every text makes a schema, as SDL or as introspection JSON. With or without errors, the schema
/// can be printed, described and compared. A schema without errors is equal to itself after
/// printing and reading it again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSchema(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = Source(name: "input", bytes: UnsafeBufferPointer(start: bytes, count: count))
  let input = SchemaInput(detecting: source)
  for parser in [ParserOptions(), ParserOptions(allowsDirectivesOnDirectives: true)] {
    check(input, parser)
  }
  return 0
}

private func check(_ input: SchemaInput, _ parser: ParserOptions) {
  let result = Schema.build([input], options: SchemaOptions(parser: parser))
  checkUse(of: result)
  checkWhole(result, parser)
  guard !result.isUsable else { return }

  // Allowing all faults makes checks run that earlier faults would have prevented.
  let options = SchemaOptions(
    severities: Dictionary(uniqueKeysWithValues: SchemaOptions.rules.map { ($0, .warning) }),
    parser: parser)
  checkUse(of: Schema.build([input], options: options))
}

/// Uses a schema in every way and renders its faults.
private func checkUse(of result: SchemaResult) {
  let (schema, diagnostics) = (result.schema, result.diagnostics)
  for format in DiagnosticFormat.allCases {
    precondition(
      diagnostics.isEmpty || !format.render(diagnostics, in: schema.document.sources).isEmpty)
  }
  for order in [SchemaOrder.definition, .name] { _ = schema.printed(order: order) }
  precondition(schema.changes(since: schema).isEmpty, "A schema equals itself.")
  for type in schema.definedTypes {
    for field in schema[type].fields {
      precondition(
        schema.ownField(schema[field].name, of: type) == field, "Fields are found by their names.")
      for argument in schema[field].arguments {
        precondition(
          schema.argument(schema[argument].name, in: schema[field].arguments) == argument,
          "Arguments are found by their names.")
      }
    }
    for field in schema[type].inputFields {
      precondition(
        schema.inputField(schema[field].name, of: type) == field,
        "Input fields are found by their names.")
    }
    for value in schema[type].enumValues {
      precondition(
        schema.enumValue(schema[value].name, of: type) == value,
        "Enum values are found by their names.")
    }
  }
}

/// Expects that a schema without faults is the same after it was printed and read.
private func checkWhole(_ result: SchemaResult, _ parser: ParserOptions) {
  let printed = result.schema.printed()
  let description = Source(name: "described", text: result.schema.introspection())
  let options = SchemaOptions(parser: parser)
  let reprinted = Schema.build([.sdl(Source(name: "printed", text: printed))], options: options)
  let described = Schema.build([.introspection(description)], options: options)
  guard result.diagnostics.isEmpty else { return }
  precondition(reprinted.diagnostics.isEmpty, "A valid schema stays valid when it is printed.")
  precondition(reprinted.schema.printed() == printed, "Printing is a fixpoint.")
  precondition(described.diagnostics.isEmpty, "A valid schema stays valid when it is introspected.")
}

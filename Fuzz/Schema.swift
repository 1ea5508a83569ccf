// modules: GraphQLSyntax GraphQLSchema
import GraphQLSchema
import GraphQLSyntax

/// Any text makes a schema, SDL or introspection JSON; whatever was wrong with it, the schema can be printed, described and
/// compared. One without errors is the same schema after it was printed and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSchema(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = Source(name: "input", bytes: UnsafeBufferPointer(start: bytes, count: count))
  let result = Schema.build([SchemaInput(detecting: source)])
  let printed = result.schema.printed()
  let description = Source(name: "described", text: result.schema.introspection())
  precondition(result.schema.changes(since: result.schema).isEmpty, "A schema equals itself.")

  let reprinted = Schema.build([.sdl(Source(name: "printed", text: printed))])
  let described = Schema.build([.introspection(description)])
  guard result.diagnostics.isEmpty else { return 0 }
  precondition(reprinted.diagnostics.isEmpty, "What is valid is valid when it is printed.")
  precondition(reprinted.schema.printed() == printed, "Printing is a fixpoint.")
  precondition(described.diagnostics.isEmpty, "What is valid is valid when it is described.")
  return 0
}

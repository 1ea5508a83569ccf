import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// An expected diagnostic: its rule, its message, and the markers of its spans, the main one first.
struct ExpectedDiagnostic {
  var rule: Diagnostic.Rule
  var message: String
  var markers: [String]

  init(_ rule: Diagnostic.Rule, _ message: String, at markers: String...) {
    self.rule = rule
    self.message = message
    self.markers = markers
  }
}

/// Builds a schema and expects exactly the given diagnostics, in order.
///
/// A query root type is added unless the text contains one.
@discardableResult
func expectDiagnostics(
  _ marked: String, _ expected: ExpectedDiagnostic...,
  location: Testing.SourceLocation = #_sourceLocation
) -> Schema {
  let text = MarkedText(marked)
  var inputs: [SchemaInput] = [.sdl("test", text.text)]
  if !text.text.contains("Query") { inputs.append(.sdl("query", "type Query { a: Int }")) }
  let result = Schema.build(inputs)
  let sources = result.schema.document.sources
  let base = sources.span(ofSourceAt: 1).start
  let found = result.diagnostics.map { diagnostic in
    let spans = (diagnostic.span.map { [$0] } ?? []) + diagnostic.notes.map(\.span)
    let markers = spans.map { text.marker(at: $0.start - base) }
    return "\(diagnostic.rule.rawValue): \(diagnostic.message) \(markers)"
  }
  let wanted = expected.map { "\($0.rule.rawValue): \($0.message) \($0.markers)" }
  #expect(found == wanted, sourceLocation: location)
  return result.schema
}

extension SchemaInput {
  /// Returns an input with the SDL `text`, in a source named `name`.
  static func sdl(_ name: String, _ text: String) -> SchemaInput {
    .sdl(Source(name: name, text: text))
  }
}

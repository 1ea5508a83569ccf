import GraphQLSyntax
import Testing

@testable import GraphQLSchema

/// A text with fingers pointing into it: `0️⃣` to `9️⃣` mark the place after them.
struct MarkedText {
  private(set) var text = ""
  /// The UTF-8 offset in `text` of each marker.
  private(set) var offsets: [String: Int] = [:]

  init(_ marked: String) {
    for character in marked {
      if character.unicodeScalars.contains("\u{20E3}") {
        offsets[String(character)] = text.utf8.count
      } else {
        text.append(character)
      }
    }
  }
}

/// A diagnostic that a test expects: the rule, the message and the places, the main one first.
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

/// Builds a schema and expects exactly these diagnostics, in this order.
///
/// A query root type is added unless the text has one.
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
  let markers = Dictionary(text.offsets.map { (UInt32($0.value) + base, $0.key) }) { $1 }
  let found = result.diagnostics.map { diagnostic in
    let spans = (diagnostic.span.map { [$0] } ?? []) + diagnostic.notes.map(\.span)
    let places = spans.map { markers[$0.start] ?? "offset \($0.start - base)" }
    return "\(diagnostic.rule.rawValue): \(diagnostic.message) \(places)"
  }
  let wanted = expected.map { "\($0.rule.rawValue): \($0.message) \($0.markers)" }
  #expect(found == wanted, sourceLocation: location)
  return result.schema
}

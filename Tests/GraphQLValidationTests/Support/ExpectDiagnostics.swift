import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// An expected diagnostic, in terms of the markers of a ``MarkedText``.
struct Expected: Hashable, CustomStringConvertible {
  var marker: String
  var message: String
  var notes: [String]
  var fixed: String?

  /// Creates an expected diagnostic.
  ///
  /// - Parameters:
  ///   - marker: The marker of the main span.
  ///   - message: The message.
  ///   - notes: The markers of the notes.
  ///   - fixed: The document after applying the fix-it, or `nil` if it does not matter.
  init(_ marker: String, _ message: String, notes: [String] = [], fixed: String? = nil) {
    self.marker = marker
    self.message = message
    self.notes = notes
    self.fixed = fixed
  }

  var description: String {
    "\(marker) \(message)\(notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")"
      + (fixed.map { " fixed: \($0)" } ?? "")
  }
}

/// Validates a document with one rule, and compares the diagnostics with `expected`, in the order
/// of the text.
func expect(
  _ rule: ValidationRule,
  in marked: String,
  schema: Schema = .pets,
  _ expected: [Expected],
  location: Testing.SourceLocation = #_sourceLocation
) {
  let text = MarkedText(marked)
  var document = Document(names: schema.names)
  let problems = document.parse(Source(name: "test", text: text.text))
  #expect(problems.isEmpty, "the document does not parse: \(problems)", sourceLocation: location)
  let result = validate(document, against: schema, configuration: .only(rule))
  let found = result.diagnostics.filter { $0.rule == rule.diagnosticRule }
  let described = zip(found, expected + Array(repeating: Expected("", ""), count: found.count)).map
  {
    diagnostic, expectation in
    Expected(
      text.marker(at: diagnostic.span?.start), diagnostic.message,
      notes: diagnostic.notes.map { text.marker(at: $0.span.start) },
      fixed: expectation.fixed == nil ? nil : fixing(diagnostic, document))
  }
  #expect(described == expected, sourceLocation: location)
}

private func fixing(_ diagnostic: Diagnostic, _ document: Document) -> String {
  document.sources.applyingFixIts(of: [diagnostic]).sources[0]?.text ?? "nothing to fix"
}

extension Schema {
  /// Returns the schema of `sdl`, which must be valid.
  static func testing(_ sdl: String) -> Schema {
    let result = Schema.build([.sdl(Source(name: "schema", text: sdl))])
    if !result.isUsable {
      Issue.record("the schema of the test is not valid: \(result.diagnostics)")
    }
    return result.schema
  }

  /// The schema that most tests use.
  static let pets = Schema.testing(
    """
    type Query {
      pet(named: String!, limit: Int = 1): Pet
      dog: Dog
      cat: Cat
      catOrDog: CatOrDog
      find(filter: Filter, by: Choice, color: Color, tags: [String!], at: Point): [Dog!]!
      old: String @deprecated(reason: "Use `new`.")
      new: String
    }
    type Mutation { rename(id: ID!): Pet }
    type Subscription { barked: Dog meowed: Cat }
    interface Pet { name: String! owner: Human friends: [Pet] }
    type Dog implements Pet { name: String! owner: Human friends: [Pet] barkVolume: Int }
    type Cat implements Pet { name: String! owner: Human friends: [Pet] meowVolume: Float }
    type Human { name: String! pets: [Pet] }
    union CatOrDog = Cat | Dog
    enum Color { RED GREEN BLACK @deprecated(reason: "Too dark.") }
    scalar Point
    input Filter { name: String! color: Color = RED nested: Filter, old: Int @deprecated }
    input Choice @oneOf { id: ID name: String }
    directive @tag(label: String!) on FIELD
    directive @note(text: String) repeatable on FIELD | QUERY
    """)
}

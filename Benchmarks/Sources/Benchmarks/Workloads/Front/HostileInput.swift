import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Documents and schemas that were designed to be slow: checked, and their problems rendered.
let hostileInput: [ExperimentMaker] = [
  { _ in HostileInput(title: "Hostile input: valid documents", cases: { validDocuments }) },
  { _ in HostileInput(title: "Hostile input: documents full of errors", cases: { wrongDocuments })
  },
  { _ in HostileInput(title: "Hostile input: schemas", cases: { schemas }) },
]

private struct HostileInput: Experiment {
  var title: String
  /// Makes the documents, which takes seconds, when they are measured.
  var cases: @Sendable () -> [HostileCase]

  func table() async throws -> String {
    let cases = cases()
    let comparison = Comparison(
      title: title, baseline: "",
      workloads: cases.map { input in Workload(input.name) { keep(input.check()) } })
    let effort = Effort(sampleDuration: .zero, sampleCounts: 3...5, budget: .zero)
    let measurements = try await comparison.measure(effort)
    var rows = [["", "size", "problems", "median", "below 1 s"]]
    for (input, measurement) in zip(cases, measurements) {
      rows.append([
        input.name, "\(input.byteCount / 1000) KB", "\(input.check())", text(measurement.median),
        measurement.median < .seconds(1) ? "yes" : "NO",
      ])
    }
    return markdown(rows)
  }
}

/// A schema, and optionally a document to check against it.
private struct HostileCase {
  var name: String
  var schema: String
  var document: String?

  init(_ name: String, schema: String = commonSchema, _ document: String? = nil) {
    self.name = name
    self.schema = schema
    self.document = document
  }

  var byteCount: Int { schema.utf8.count + (document?.utf8.count ?? 0) }

  /// Parses, builds, validates and renders, and returns the number of problems.
  func check() -> Int {
    let built = Schema.build([.sdl(Source(name: "schema.graphqls", text: schema))])
    var found = built.diagnostics
    var sources = built.schema.document.sources
    if let document {
      var parsed = Document(names: built.schema.names, sources: sources)
      found += parsed.parse(Source(name: "document.graphql", text: document))
      if found.isEmpty { found += validate(parsed, against: built.schema).diagnostics }
      sources = parsed.sources
    }
    keep(DiagnosticFormat.text.render(found, in: sources))
    return found.count
  }
}

/// `text` for each number below `count`, with spaces between them.
private func each(_ count: Int, _ text: (Int) -> String) -> String {
  (0..<count).map(text).joined(separator: " ")
}

private let commonSchema = """
  type Query { f(a: Int, i: In): Int  x(a: Int): Int  g: Query  node: Node  u: U }
  type Subscription { f: Int }
  interface Node { id: ID }
  type A implements Node { id: ID a: Int }
  type B implements Node { id: ID b: Int }
  union U = A | B
  input In { a: Int  b: In }
  directive @d(x: Int) repeatable on FIELD
  """

/// `levels` times two fragments, each of which spreads both of the next level within `selection`.
private func lattice(_ levels: Int, _ selection: (String) -> String, last: String = "f") -> String {
  "query($v: Int) { z: f(a: $v) ...F0 ...G0 } "
    + each(levels) { level in
      let inner = level == levels - 1 ? last : selection("...F\(level + 1) ...G\(level + 1)")
      return "fragment F\(level) on Query { \(inner) } fragment G\(level) on Query { \(inner) }"
    }
}

/// `count` operations that all spread the first of a chain of as many fragments.
private func operations(_ count: Int, _ head: String, _ field: String) -> String {
  each(count) { "query Q\($0)\(head) { ...F0 }" }
    + each(count) { index in
      let next = index < count - 1 ? "...F\(index + 1)" : ""
      return "fragment F\(index) on Query { \(field) \(next) }"
    }
}

// MARK: - Valid documents

private let validDocuments: [HostileCase] = [
  HostileCase("a field, 10,000 times", "{ \(each(10_000) { _ in "f" }) }"),
  HostileCase("100,000 fields in one selection", "{ \(each(100_000) { "a\($0): f" }) }"),
  HostileCase("1,000,000 aliases of a field", "{ \(each(1_000_000) { "a\($0): f" }) }"),
  HostileCase(
    "10,000,000 times the same field", "{ " + String(repeating: "f ", count: 10_000_000) + "}"),
  HostileCase(
    "200 inline fragments with 200 fields each",
    "{ \(each(200) { _ in "... on Query { \(each(200) { _ in "f" }) }" }) }"),
  HostileCase("a fragment lattice, 40 deep", lattice(40, { $0 })),
  HostileCase("a fragment lattice within fields, 40 deep", lattice(40, { "g { \($0) }" })),
  HostileCase(
    "a lattice within aliases, 40 deep", lattice(40, { "a: g { \($0) } b: g { \($0) }" })),
  HostileCase(
    "a lattice with arguments, 1,000 deep",
    lattice(1000, { "f(a: $v) g { \($0) }" }, last: "f(a: $v)")),
  HostileCase(
    "10,000 operations that share 10,000 fragments with variables",
    operations(10_000, "($v: Int)", "f(a: $v)")),
  HostileCase(
    "10,000 variables",
    "query(\(each(10_000) { "$v\($0): Int" })) { \(each(10_000) { "a\($0): f(a: $v\($0))" }) }"),
  HostileCase(
    "10,000 directives on a field", "{ f \(each(10_000) { "@d(x: \($0))" }) }"),
  HostileCase(
    "fragments on 10,000 members of a union",
    schema: "type Query { u: U } union U = \(each(10_000) { "| T\($0)" }) "
      + each(10_000) { "type T\($0) { f: Int }" },
    "{ u { \(each(10_000) { "... on T\($0) { f }" }) } }"),
  HostileCase(
    "two equal lists of 10,000 arguments",
    schema: "type Query { f(\(each(10_000) { "a\($0): Int" })): Int }",
    "{ f(\(each(10_000) { "a\($0): 1" })) f(\(each(10_000) { "a\($0): 1" })) }"),
]

// MARK: - Documents full of errors

private let wrongDocuments: [HostileCase] = [
  HostileCase("100,000 unknown fields on one line", "{ \(each(100_000) { "zz\($0)" }) }"),
  HostileCase(
    "10,000 unknown fields of an interface", "{ node { \(each(10_000) { "zz\($0)" }) } }"),
  HostileCase("10,000 unknown types", "{ \(each(10_000) { "... on Zz\($0) { f }" }) }"),
  HostileCase("10,000 unknown fragments", "{ \(each(10_000) { "...Zz\($0)" }) }"),
  HostileCase("10,000 conflicts", "{ \(each(10_000) { "a\($0): f a\($0): x" }) }"),
  HostileCase("10,000 fields that all conflict", "{ \(each(10_000) { "f(a: \($0))" }) }"),
  HostileCase(
    "a lattice, 40 deep, with a conflict at its end",
    lattice(40, { "g { \($0) }" }, last: "f f: x")),
  HostileCase(
    "a cycle of 10,000 fragments",
    "{ ...F0 } " + each(10_000) { "fragment F\($0) on Query { f ...F\(($0 + 1) % 10_000) }" }),
  HostileCase(
    "10,000 fragments that lead back to the first",
    "{ ...F0 } "
      + each(10_000) { "fragment F\($0) on Query { ...F0 ...F\(min($0 + 1, 9_999)) }" }),
  HostileCase(
    "1,000 operations with 1,000 undefined variables", operations(1_000, "", "f(a: $v)")),
  HostileCase(
    "10,000 unused fragments", "{ f } " + each(10_000) { "fragment F\($0) on Query { f }" }),
  HostileCase("10,000 unused variables", "query(\(each(10_000) { "$v\($0): Int" })) { f }"),
  HostileCase("an argument given 100,000 times", "{ f(\(each(100_000) { _ in "a: 1" })) }"),
  HostileCase(
    "100,000 unknown arguments of a directive",
    "{ f @d(\(each(100_000) { "z\($0): 1" })) }"),
  HostileCase("10,000 syntax errors", each(10_000) { "query Q\($0) { f(}\n" }),
]

// MARK: - Schemas

private let query = "type Query { a: Int } "

private let schemas: [HostileCase] = [
  HostileCase("100,000 types", schema: query + each(100_000) { "type T\($0) { a: T\($0) }" }),
  HostileCase(
    "an enum of 50,000 values",
    schema: "type Query { a: E } enum E { \(each(50_000) { "V\($0)" }) }"),
  HostileCase(
    "a directive with 100,000 arguments",
    schema: query + "directive @x(\(each(100_000) { "a\($0): Int" })) on FIELD"),
  HostileCase(
    "a cycle of 10,000 input objects",
    schema: query + each(10_000) { "input I\($0) { a: I\(($0 + 1) % 10_000)! }" }),
  HostileCase(
    "10,000 input objects that lead back to the first",
    schema: query + each(10_000) { "input I\($0) { a: I\(min($0 + 1, 9_999))! b: I0! }" }),
  HostileCase(
    "a fan of 1,000 × 1,000 defaults of input objects",
    schema: query + "input I { \(each(1_000) { "a\($0): J = {}" }) } "
      + "input J { \(each(1_000) { "b\($0): K = {}" }) } input K { c: Int }"),
  HostileCase(
    "a cycle of 10,000 defaults",
    schema: query + each(10_000) { "input I\($0) { a: I\(($0 + 1) % 10_000) = {} }" }),
  HostileCase(
    "a cycle of 10,000 directives",
    schema: query
      + each(10_000) {
        "directive @x\($0)(a: Int @x\(($0 + 1) % 10_000)) on ARGUMENT_DEFINITION"
      }),
  HostileCase(
    "300 interfaces, each of which implements those before it",
    schema: query
      + each(300) { number in
        let before = each(number) { "\($0 == 0 ? "implements" : "&") I\($0)" }
        return "interface I\(number) \(before) { a: Int }"
      }),
  HostileCase(
    "an interface with 10,000 fields that is not implemented",
    schema: query + "interface I { \(each(10_000) { "a\($0): Int" }) } "
      + "type T implements I { b: Int }"),
  HostileCase(
    "10,000 unknown types", schema: query + each(10_000) { "type T\($0) { a: Zz\($0) }" }),
  HostileCase(
    "a type defined 10,000 times", schema: query + each(10_000) { _ in "type T { a: Int }" }),
  HostileCase(
    "10,000 extensions of a type",
    schema: query + each(10_000) { "extend type Query { b\($0): Int }" }
  ),
  HostileCase(
    "an enum of 10,000 values, a wrong default of each",
    schema: "type Query { f(\(each(10_000) { "a\($0): E = W\($0)" })): Int } "
      + "enum E { \(each(10_000) { "V\($0)" }) }"),
]

import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Builds schemas that are cyclic, large or deep. All of them result in diagnostics, not in
/// crashes.
@Suite(.timeLimit(.minutes(10))) struct HostileSchemaTests {
  private static func build(_ sdl: String) -> SchemaResult {
    Schema.build([.sdl(Source(name: "schema", text: "type Query { a: Int } " + sdl))])
  }

  /// Returns `text` for each number below `count`, joined by spaces.
  private static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: " ")
  }

  // MARK: - Cycles

  private static let cycles: [(name: String, sdl: String, message: String)] = [
    (
      "an interface that implements itself", "interface I implements I { a: Int }",
      "Type I cannot implement itself because it would create a circular reference."
    ),
    (
      "interfaces that implement each other",
      "interface I implements J { a: Int } interface J implements I { a: Int }",
      "Type I cannot implement J because it would create a circular reference."
    ),
    (
      "an extension that closes a circle of interfaces",
      "interface I { a: Int } interface J implements I { a: Int } extend interface I implements J",
      "Type I cannot implement J because it would create a circular reference."
    ),
    (
      "a union of itself", "union U = U",
      "Union type U can only include Object types, it cannot include U."
    ),
    (
      "unions of each other", "union U = V union V = U",
      "Union type U can only include Object types, it cannot include V."
    ),
    (
      "an extension that puts a union into itself",
      "union U = Query extend union U = U",
      "Union type U can only include Object types, it cannot include U."
    ),
    (
      "an input object that needs itself", "input A { a: A! }",
      "Invalid circular reference. The Input Object A references itself in the non-null field A.a."
    ),
    (
      "input objects that need each other", "input A { b: B! } input B { a: A! }",
      "Invalid circular reference. The Input Object A references itself via the non-null fields: "
        + "A.b, B.a."
    ),
    (
      "an extension that makes an input object need itself",
      "input A { x: Int } extend input A { a: A! }",
      "Invalid circular reference. The Input Object A references itself in the non-null field A.a."
    ),
    (
      "a default value that needs itself", "input A { a: A = {} }",
      "Invalid circular reference. The default value of Input Object field A.a references itself."
    ),
    (
      "a directive on its own argument", "directive @d(a: Int @d) on ARGUMENT_DEFINITION",
      "Directive \"@d\" cannot reference itself."
    ),
    (
      "a directive on the type of its argument",
      "directive @d(a: S) on SCALAR scalar S @d", "Directive \"@d\" cannot reference itself."
    ),
    (
      "a directive that an extension puts on the type of its argument",
      "directive @d(a: E) on ENUM enum E { V } extend enum E @d",
      "Directive \"@d\" cannot reference itself."
    ),
  ]

  @Test(arguments: cycles.indices)
  func reportsEveryKindOfCycle(_ index: Int) {
    let (name, sdl, message) = Self.cycles[index]
    let result = Self.build(sdl)
    #expect(!result.isUsable)
    #expect(result.diagnostics.contains { $0.message == message }, "\(name): \(result.diagnostics)")
    #expect(result.diagnostics.allSatisfy { $0.span != nil }, "\(name)")
    // An invalid schema can still be printed and compared, without endless loops.
    #expect(!result.schema.printed(order: .name).isEmpty)
    #expect(!result.schema.introspection().isEmpty)
    #expect(result.schema.changes(since: Self.build("").schema).isEmpty == false, "\(name)")
  }

  /// These cycles are valid, because a nullable type or a list ends them.
  @Test(arguments: [
    "type A { a: A! }", "interface I { a: I! }", "input A { a: A }", "input A { a: [A!]! }",
    "input A { b: B! } input B { a: A }", "type A { u: U } union U = A",
    "interface I { a: I } type A implements I { a: A }",
  ])
  func allowsCyclesWithFiniteValues(_ sdl: String) {
    #expect(Self.build(sdl).diagnostics == [])
  }

  @Test(arguments: [
    ("interface I%d implements I%n { a: Int }", "InterfaceImplementations"),
    ("union U%d = U%n", "UnionMembers"), ("input A%d { a: A%n! }", "InputObjectCycles"),
    ("input A%d { a: A%n = {} }", "DefaultValueCycles"),
    ("directive @d%d(a: Int @d%n) on ARGUMENT_DEFINITION", "DirectiveCycles"),
  ])
  func findsLongCyclesWithoutRecursion(_ pattern: String, rule: String) {
    let count = 3_000
    let result = Self.build(
      Self.each(count) {
        pattern.replacing("%d", with: "\($0)").replacing("%n", with: "\(($0 + 1) % count)")
      })
    #expect(result.diagnostics.contains { $0.rule.rawValue == rule })
    #expect(result.diagnostics.count <= DiagnosticList.maximumCount + 1)
  }

  // MARK: - Size

  @Test func buildsLargeSchemas() {
    let result = Self.build(
      Self.each(20_000) { "type T\($0) { a: T\($0) }" }
        + "enum E { \(Self.each(20_000) { "V\($0)" }) }"
        + "input I { \(Self.each(20_000) { "a\($0): Int" }) }"
        + "type A { f(\(Self.each(20_000) { "a\($0): Int" })): Int }"
        + "union U = \(Self.each(20_000) { "| T\($0)" })")
    #expect(result.diagnostics == [])
    #expect(result.schema.definedTypes.count == 20_005)
  }

  /// A thousand types each lack a thousand fields.
  @Test func limitsTheNumberOfReportedProblems() {
    let result = Self.build(
      "interface I { \(Self.each(1_000) { "a\($0): Int" }) } "
        + Self.each(1_000) { "type T\($0) implements I { b: Int }" })
    #expect(result.diagnostics.count == DiagnosticList.maximumCount + 1)
    #expect(result.diagnostics.contains(.tooMany))
  }

  @Test func warningsDoNotHideErrors() {
    let sdl =
      Self.each(DiagnosticList.maximumCount + 5) { "input T\($0) { a: Int! @deprecated }" }
      + "union U = Query | Query"
    let options = SchemaOptions(severities: ["RequiredDeprecations": .warning])
    let result = Schema.build(
      [.sdl(Source(name: "schema", text: "type Query { a: Int } " + sdl))], options: options)
    let errors = result.diagnostics.filter { $0.severity == .error }
    #expect(
      errors.map(\.message) == ["Union type U can only include type Query once."])
    let rest = result.diagnostics.filter { $0.rule == .limit }
    #expect(
      rest.map(\.message) == ["More than 10000 warnings were found; the rest is not reported."])
    #expect(result.diagnostics.count == DiagnosticList.maximumCount + 2)
  }

  // MARK: - Depth

  @Test(arguments: [
    ("type A { a: %s }", "[", "Int", "]", 63), ("input A { a: %s }", "[", "Int", "]", 63),
    ("input A { a: [Int] = %s }", "[", "1", "]", 490),
    ("input A { a: A = %s }", "{ a: ", "null", "}", 490),
  ])
  func deepNestingIsAcceptedOrReported(
    _ pattern: String, open: String, inner: String, close: String, limit: Int
  ) {
    for depth in [limit, 100_000] {
      let text =
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
      let result = Self.build(pattern.replacing("%s", with: text))
      let isSyntax = result.diagnostics.contains { $0.rule == .syntax }
      #expect(isSyntax == (depth > limit), "\(depth): \(result.diagnostics.first?.message ?? "")")
    }
  }
}

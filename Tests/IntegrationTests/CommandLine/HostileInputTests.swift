import Foundation
import Testing

/// Documents and schemas that were made to be slow, deep or confusing: `validate` ends, with what
/// is wrong and where, and says the same wherever it runs.
@Suite(.timeLimit(.minutes(10)))
struct HostileInputTests {
  /// A schema, a document, how the command ends, and a part of what it says.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var schema = commonSchema
    var document: String?
    var code: Int32 = 0
    var message = ""
    var testDescription: String { name }
  }

  private static let commonSchema = """
    type Query { f(a: Int): Int  x(a: Float): Int  g: Query  e(e: E): Int }
    type Subscription { f: Int }
    enum E { V }
    directive @d(x: Int) repeatable on FIELD
    """

  /// `text` for each number below `count`.
  private static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: "\n")
  }

  private func validate(
    _ files: [String: String], _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await withFiles(files) { project in
      try await run(
        try Repository.commandLineTool(), ["validate", "--specification"] + arguments,
        in: project.folder, environment: environment)
    }
  }

  private func check(_ item: Case) async throws {
    var files = ["s.graphqls": item.schema]
    files["x.graphql"] = item.document
    let outcome = try await validate(
      files, ["-s", "s.graphqls"] + (item.document == nil ? [] : ["x.graphql"]))
    let said = outcome.output.prefix(1000)
    #expect(outcome.status == item.code, "\(said) \(outcome.errors)")
    if item.message.isEmpty {
      #expect(outcome.output.isEmpty, "\(said)")
    } else {
      #expect(outcome.output.contains(item.message), "\(said)")
    }
  }

  // MARK: - Size

  static let large = [
    Case(name: "a field, 100,000 times", document: "{ \(each(100_000) { _ in "f" }) }"),
    Case(name: "20,000 aliases of a field", document: "{ \(each(20_000) { "a\($0): f" }) }"),
    Case(
      name: "20,000 unknown fields", document: "{ \(each(20_000) { "zz\($0)" }) }", code: 1,
      message: "error: Too many problems were found; the rest is not reported. [Limit]"),
    Case(
      name: "100,000 braces", document: String(repeating: "}", count: 100_000), code: 1,
      message: "x.graphql:1:1: error: Syntax Error: Unexpected \"}\"."),
    Case(
      name: "10,000 types",
      schema: "type Query { a: Int }" + each(10_000) { "type T\($0) { a: T\($0) }" }),
    Case(
      name: "an enum of 20,000 values",
      schema: "type Query { a: E } enum E { \(each(20_000) { "V\($0)" }) }"),
    Case(
      name: "a field with 10,000 arguments, given twice",
      schema: "type Query { f(\(each(10_000) { "a\($0): Int" })): Int }",
      document: "{ f(\(each(10_000) { "a\($0): 1" })) f(\(each(10_000) { "a\($0): 1" })) }"),
  ]

  @Test(arguments: large) func whatIsLargeIsReadOrItsProblemsAreCapped(_ item: Case) async throws {
    try await check(item)
  }

  // MARK: - Fields and fragments that multiply

  static let multiplying = [
    Case(name: "a field, 2,000 times", document: "{ \(each(2_000) { _ in "f" }) }"),
    Case(
      name: "200 inline fragments of 100 fields",
      document: "{ \(each(200) { _ in "... on Query { \(each(100) { "f\($0): f" }) }" }) }"),
    Case(
      name: "3,000 fields that all conflict", document: "{ \(each(3_000) { "f(a: \($0))" }) }",
      code: 1, message: "Fields \"f\" conflict because they have differing arguments."),
    Case(name: "a lattice, 40 deep", document: lattice(40) { $0 }),
    Case(name: "a lattice within fields, 40 deep", document: lattice(40) { "g { \($0) }" }),
    Case(
      name: "a lattice within aliases, 40 deep",
      document: lattice(40) { "a: g { \($0) } b: g { \($0) }" }),
    Case(
      name: "a lattice with a conflict at its end",
      document: lattice(40, last: "f f: x") { "g { \($0) }" }, code: 1,
      message: "conflict because \"f\" and \"x\" are different fields."),
    Case(
      name: "a chain of 2,000 fragments",
      document: "{ ...F0 }"
        + each(2_000) { "fragment F\($0) on Query { f \($0 < 1_999 ? "...F\($0 + 1)" : "") }" }),
  ]

  /// `levels` times two fragments, each of which spreads both of the next level.
  private static func lattice(
    _ levels: Int, last: String = "f", _ selection: (String) -> String
  ) -> String {
    "{ ...F0 ...G0 }"
      + each(levels) { level in
        let inner = level == levels - 1 ? last : selection("...F\(level + 1) ...G\(level + 1)")
        return "fragment F\(level) on Query { \(inner) } fragment G\(level) on Query { \(inner) }"
      }
  }

  @Test(arguments: multiplying) func whatMultipliesIsLookedAtOnce(_ item: Case) async throws {
    try await check(item)
  }

  // MARK: - Cycles

  static let cycles = [
    Case(
      name: "a fragment of itself", document: "{ ...F } fragment F on Query { ...F }", code: 1,
      message: "x.graphql:1:32: error: Cannot spread fragment \"F\" within itself."),
    Case(
      name: "fragments of each other",
      document: "{ ...F } fragment F on Query { ...G } fragment G on Query { g { ...F } }", code: 1,
      message: "Cannot spread fragment \"F\" within itself via \"G\"."),
    Case(
      name: "an interface of itself",
      schema: "type Query { a: Int } interface I implements I { a: Int }", code: 1,
      message: "s.graphqls:1:46: error: Type I cannot implement itself"),
    Case(
      name: "an input object that needs itself",
      schema: "type Query { a: Int } input A { b: B! } input B { a: A! }", code: 1,
      message: "references itself via the non-null fields: A.b, B.a."),
    Case(
      name: "a directive on its argument",
      schema: "type Query { a: Int } directive @x(a: Int @x) on ARGUMENT_DEFINITION", code: 1,
      message: "Directive \"@x\" cannot reference itself."),
    Case(
      name: "a union of itself", schema: "type Query { a: Int } union U = U", code: 1,
      message: "Union type U can only include Object types, it cannot include U."),
    Case(
      name: "an extension that closes a circle",
      schema: "type Query { a: Int } input A { x: Int } extend input A { a: A! }", code: 1,
      message: "references itself in the non-null field A.a."),
  ]

  @Test(arguments: cycles) func everyCycleIsNamedWithItsPlace(_ item: Case) async throws {
    try await check(item)
  }

  // MARK: - The same name in two files

  private static let first =
    "type A { a(x: Int): Int } enum E { V } directive @d on FIELD"

  @Test(arguments: [
    (
      "type A { b: Int }", "There can be only one type named \"A\".", "1:6", "1:6"
    ),
    ("extend type A { a: Int }", "Field \"A.a\" can only be defined once.", "1:10", "1:17"),
    ("extend enum E { V }", "Enum value \"E.V\" can only be defined once.", "1:36", "1:17"),
    (
      "directive @d on QUERY", "There can be only one directive named \"@d\".", "1:51", "1:12"
    ),
  ])
  func whatIsDefinedInTwoFilesOfASchemaIsShownInBoth(
    second: String, message: String, here: String, there: String
  ) async throws {
    let files = [
      "a.graphqls": Self.first + " type Query { a: Int }", "b.graphqls": second,
    ]
    let outcome = try await validate(
      files, ["-s", "a.graphqls", "-s", "b.graphqls", "--format", "xcode"])
    #expect(outcome.output.contains("a.graphqls:\(here): error: \(message)"), "\(outcome.output)")
    #expect(outcome.output.contains("b.graphqls:\(there): note: "), "\(outcome.output)")
  }

  @Test func whatIsDefinedInTwoFilesOfOperationsIsShownInBoth() async throws {
    let files = [
      "s.graphqls": Self.commonSchema, "a.graphql": "query Q { ...F } fragment F on Query { f }",
      "b.graphql": "fragment F on Query { f } query Q { f }",
    ]
    let outcome = try await validate(files, ["-s", "s.graphqls", "--format", "xcode", "."])
    for line in [
      "a.graphql:1:7: error: There can be only one operation named \"Q\".",
      "b.graphql:1:33: note: ",
      "a.graphql:1:27: error: There can be only one fragment named \"F\".",
      "b.graphql:1:10: note: ",
    ] {
      #expect(outcome.output.contains(line), "\(outcome.output)")
    }
    #expect(outcome.status == 1)
  }

  // MARK: - Values

  private static let manyDigits = String(repeating: "9", count: 10_000)

  static let values = [
    Case(
      name: "an integer of 10,000 digits", document: "{ f(a: \(manyDigits)) }", code: 1,
      message: "x.graphql:1:8: error: Int cannot represent non 32-bit signed integer value: 999"),
    Case(
      name: "a default of 10,000 digits",
      schema: "type Query { f(a: Int = \(manyDigits)): Int }", code: 1,
      message: "s.graphqls:1:25: error: Query.f(a:) has invalid default value"),
    Case(name: "a float of 10,000 digits", document: "{ x(a: \(manyDigits).0) }"),
    Case(name: "a float beyond all floats", document: "{ x(a: 1e99999) }"),
    Case(name: "a float below all floats", document: "{ x(a: -1.5E-99999) }"),
    Case(
      name: "the least Int that is none", document: "{ f(a: -2147483649) }", code: 1,
      message: "Int cannot represent non 32-bit signed integer value: -2147483649"),
    Case(name: "the least Int", document: "{ f(a: -2147483648) }"),
    Case(
      name: "an enum value as a string", document: "{ e(e: \"V\") }", code: 1,
      message:
        "Enum \"E\" cannot represent non-enum value: \"V\". Did you mean the enum value \"V\"?"),
    Case(
      name: "a default enum value as a string",
      schema: "type Query { e(e: E = \"V\"): Int } enum E { V }", code: 1,
      message: "Query.e(e:) has invalid default value: Enum \"E\" cannot represent non-enum value"),
    Case(
      name: "a default of another type", schema: "type Query { f(a: Int = 1.5): Int }", code: 1,
      message: "Int cannot represent non-integer value: 1.5"),
    Case(
      name: "a variable with a default of another type",
      document: "query($v: Int = \"1\") { f(a: $v) }", code: 1,
      message: "x.graphql:1:17: error: Int cannot represent non-integer value: \"1\""),
  ]

  @Test(arguments: values) func valuesAreCheckedHoweverTheyAreWritten(_ item: Case) async throws {
    try await check(item)
  }

  // MARK: - Characters that mislead

  @Test(arguments: [("s.graphqls", 1), ("x.graphql", 1), ("s.json", 0)])
  func directionsThatHideTextAreWarnings(file: String, count: Int) async throws {
    let hidden = "# \u{202E}} a { \u{2066}\n"
    var files = ["s.graphqls": "type Query { a: Int }", "x.graphql": "{ a }"]
    files[file] = hidden + (files[file] ?? "")
    if file == "s.json" {
      // Neither escapes nor what is made of them can be seen.
      files[file] = """
        {"__schema":{"queryType":{"name":"Query"},"directives":[],"types":[
        {"kind":"SCALAR","name":"Int"},{"kind":"SCALAR","name":"String"},
        {"kind":"SCALAR","name":"Boolean"},{"kind":"OBJECT","name":"Query",
        "description":"\\u202E","interfaces":[],"fields":[
        {"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}
        """
    }
    let outcome = try await validate(
      files, ["-s", file == "s.json" ? file : "s.graphqls", "--format", "xcode", "x.graphql"])
    #expect(outcome.status == 0, "\(outcome)")
    let warning =
      "\(file):1:3: warning: U+202E (RIGHT-TO-LEFT OVERRIDE) makes the text look different from what is read. "
      + "Remove it, or write it as an escape in a string. [BidirectionalControls]\n"
    #expect(outcome.output.contains(warning) == (count > 0), "\(outcome.output)")
    #expect(outcome.output.contains("U+2066 (LEFT-TO-RIGHT ISOLATE)") == (count > 0))
  }

  @Test(
    arguments: [("error", 1, true), ("warning", 0, true), ("off", 0, false)]
      as [(String, Int32, Bool)])
  func howBadHiddenTextIsCanBeChosen(_ level: String, code: Int32, isReported: Bool) async throws {
    let files = ["s.graphqls": "type Query { a: Int }", "x.graphql": "{ a } # \u{2067}"]
    let outcome = try await validate(
      files, ["-s", "s.graphqls", "--severity", "BidirectionalControls=\(level)", "x.graphql"])
    #expect(outcome.status == code)
    #expect(outcome.output.contains("x.graphql:1:9: \(level): U+2067") == isReported)
    #expect(!outcome.output.unicodeScalars.contains("\u{2067}"))
  }

  @Test func lettersOfOtherScriptsAreShownAndReplaced() async throws {
    try await withFiles(["s.graphqls": "type Query { name: Int }", "x.graphql": "{ n\u{430}me }"]) {
      let arguments = ["validate", "-s", "s.graphqls", "x.graphql"]
      let outcome = try await $0.apollo(arguments)
      #expect(outcome.status == 1)
      #expect(
        outcome.output.hasPrefix(
          "x.graphql:1:4: error: Syntax Error: Unexpected character: U+0430.")
      )
      #expect(outcome.output.contains("fix: replace U+0430, which looks like 'a', with 'a'"))
      let fixed = try await $0.apollo(arguments + ["--fix"])
      #expect(fixed.status == 0, "\(fixed)")
      #expect(try $0.text(of: "x.graphql") == "{ name }")
    }
  }

  // MARK: - Wherever it runs

  private static let project = [
    "s.graphqls": "type Query { b: Int a(i: ID): Int I: Int }",
    "ops/b.graphql": "query B { a(i: 1) zz }", "ops/a.graphql": "query A { i I\n\nyy }",
    "ops/İ.graphql": "query C { \"ß\" }",
  ]

  /// Locales where `i` is not the small `I`, or digits are others; time zones; a home that is not
  /// there.
  private static let surroundings: [[String: String]] = [
    [:], ["LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"], ["LC_ALL": "ar_EG.UTF-8"],
    ["LC_ALL": "C", "LANG": "C"], ["TZ": "Pacific/Kiritimati"], ["HOME": "/nowhere"], ["HOME": ""],
  ]

  @Test(arguments: [
    ["validate", "-s", "s.graphqls", "ops"],
    ["validate", "-s", "s.graphqls", "ops", "--format", "json"],
    ["validate", "-s", "s.graphqls", "ops", "--format", "sarif"],
    ["schema", "print", "--sorted", "s.graphqls"], ["schema", "introspect", "s.graphqls"],
    ["format", "--check", "ops", "s.graphqls"],
  ])
  func theSameIsSaidEverywhere(_ arguments: [String]) async throws {
    var said: Set<String> = []
    for environment in Self.surroundings {
      let outcome = try await withFiles(Self.project) { project in
        try await run(
          try Repository.commandLineTool(), arguments, in: project.folder, environment: environment)
      }
      said.insert("\(outcome.status)\n\(outcome.output)\n\(outcome.errors)")
    }
    #expect(said.count == 1, "\(said)")
  }

  @Test func theOrderOfNamedFilesChangesOnlyTheOrderOfProblems() async throws {
    let files = Self.project.filter { $0.key != "ops/İ.graphql" }
    func lines(_ paths: [String]) async throws -> [Substring] {
      let outcome = try await validate(files, ["-s", "s.graphqls", "--format", "xcode"] + paths)
      #expect(outcome.status == 1)
      return outcome.output.split(separator: "\n")
    }
    let there = try await lines(["ops/a.graphql", "ops/b.graphql"])
    let back = try await lines(["ops/b.graphql", "ops/a.graphql"])
    #expect(there.count == 3 && there != back)
    #expect(there.sorted() == back.sorted())
  }

  @Test(arguments: [
    "query Q($a: Int = -0) @d { a: f(a: $a) ... on Query @d { g { f } } }",
    #"{ f(s: "\u{1F98A}\n\"", b: """  block "three" \"""  """) }"#,
    "extend type A implements B & C @d { \"text\" a(b: [Int!]! = [1]): Int }",
    "\"about\" directive @d(a: I = { a: [] }) repeatable on FIELD | QUERY",
  ])
  func whatIsPrintedIsReadAndPrintedTheSame(_ text: String) async throws {
    try await withFiles([:]) { project in
      for options in [[], ["--canonical"]] {
        let once = try await project.apollo(["format", "-"] + options, input: text)
        let twice = try await project.apollo(["format", "-"] + options, input: once.output)
        #expect(once.status == 0 && !once.output.isEmpty, "\(once)")
        #expect(twice.output == once.output)
      }
    }
  }
}

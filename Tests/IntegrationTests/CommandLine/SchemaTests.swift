import Foundation
import Testing

/// `apollo-cli schema`: print, introspect, stats and diff.
@Suite(.timeLimit(.minutes(10)))
struct SchemaTests {
  private static let schema = """
    "Where all starts."
    type Query { hero(id: ID! = 1): Hero heroes: [Hero!] }
    # Nobody reads this.
    interface Named { name: String }
    type Hero implements Named { name: String kind: Kind }
    enum Kind { DROID HUMAN @deprecated }
    input Filter @oneOf { kind: Kind name: String }
    directive @live on QUERY

    """

  // MARK: - print, introspect, stats

  @Test func printsTheSchema() async throws {
    try await withFiles(["s.graphqls": Self.schema]) { project in
      let outcome = try await project.apollo("schema", "print", "s.graphqls")
      #expect(
        outcome.output.contains("type Query {\n  hero(id: ID! = 1): Hero\n  heroes: [Hero!]\n}"))
      #expect(!outcome.output.contains("#") && outcome.status == 0 && outcome.errors.isEmpty)
      let again = try await project.apollo("schema", "print", "-", input: outcome.output)
      #expect(again.output == outcome.output)
      let named = try await project.apollo("schema", "print", "--schema", "s.graphqls")
      #expect(named.output == outcome.output)
    }
  }

  @Test func printsInTheOrderOfNames() async throws {
    let outcome = try await withFiles([:]) {
      try await $0.apollo(
        "schema", "print", "--sorted", "-",
        input: "type Query { b(d: Int, c: Int): Int a: Int } enum E { B A } scalar D")
    }
    #expect(
      outcome.output == """
        scalar D

        enum E {
          A
          B
        }

        type Query {
          a: Int
          b(c: Int, d: Int): Int
        }

        """)
  }

  @Test func introspectionAndSDLAreEqual() async throws {
    try await withFiles(["s.graphqls": Self.schema]) { project in
      let printed = try await project.apollo("schema", "print", "s.graphqls")
      let introspected = try await project.apollo("schema", "introspect", "s.graphqls")
      let json = try JSONSerialization.jsonObject(with: Data(introspected.output.utf8))
      let data = try #require((json as? [String: Any])?["data"] as? [String: Any])
      #expect(data["__schema"] != nil)
      let back = try await project.apollo("schema", "print", "-", input: introspected.output)
      #expect(back.output == printed.output)
      let again = try await project.apollo("schema", "introspect", "-", input: introspected.output)
      #expect(again.output == introspected.output)
    }
  }

  @Test func countsTypesAndFields() async throws {
    let outcome = try await withFiles(["s.graphqls": Self.schema]) {
      try await $0.apollo("schema", "stats", "s.graphqls")
    }
    #expect(
      outcome.output == """
        5  types
        2    objects
        1    interfaces
        0    unions
        1    enums
        1    input objects
        0    scalars
        5  fields
        1  arguments
        2  input fields
        2  enum values
        1  directives
        1  deprecated elements

        """)
  }

  @Test(
    arguments: [
      ([], 2), (["print"], 2), (["prnit", "s.graphqls"], 2), (["print", "missing.graphqls"], 2),
      (["print", "bad.graphqls"], 1), (["introspect", "bad.graphqls"], 1),
      (["stats", "bad.graphqls"], 1),
      (["diff", "s.graphqls"], 2), (["diff", "s.graphqls", "bad.graphqls"], 1),
      (["diff", "s.graphqls", "s.graphqls", "--format", "yaml"], 2), (["diff", "-", "-"], 2),
    ] as [([String], Int32)])
  func exitCodesTellWhatHappened(_ arguments: [String], code: Int32) async throws {
    let files = ["s.graphqls": Self.schema, "bad.graphqls": "type Query { a: Nope }"]
    let outcome = try await withFiles(files) { try await $0.apollo(["schema"] + arguments) }
    #expect(outcome.status == code, "\(outcome)")
    #expect(outcome.output.isEmpty && outcome.errors.contains("error: "))
  }

  // MARK: - diff

  private static let newer = """
    type Query { hero(id: ID!, at: String!): Hero heroes: [Hero] extra: Int }
    interface Named { name: String }
    type Hero implements Named { name: String kind: Kind }
    enum Kind { DROID HUMAN @deprecated WOOKIEE }
    input Filter @oneOf { kind: Kind }
    directive @live on QUERY

    """

  private static let operations = [
    "ops/hero.graphql": "query Hero { hero(id: 1) { name } }",
    "ops/names.graphql": "query Names { heroes { name } }",
    "ops/types.graphql": "query Types { __typename }",
  ]

  @Test func reportsTheChanges() async throws {
    let outcome = try await withFiles(["old.graphqls": Self.schema, "new.graphqls": Self.newer]) {
      try await $0.apollo("schema", "diff", "old.graphqls", "new.graphqls")
    }
    #expect(
      outcome.output == """
        breaking: A required argument Query.hero(at:) was added. [REQUIRED_ARG_ADDED]
        breaking: Query.hero(id:) defaultValue was removed. [ARG_DEFAULT_VALUE_CHANGE]
        breaking: Field Query.heroes changed type from [Hero!] to [Hero]. [FIELD_CHANGED_KIND]
        breaking: Field Filter.name was removed. [FIELD_REMOVED]
        dangerous: Enum value Kind.WOOKIEE was added. [VALUE_ADDED_TO_ENUM]
        safe: Standard scalar Int was added. [TYPE_ADDED]
        safe: Description of Query was removed. [DESCRIPTION_CHANGED]
        safe: Field Query.extra was added. [FIELD_ADDED]

        """)
    #expect(outcome.status == 1)
  }

  @Test func saysWhichOperationsAChangeBreaks() async throws {
    let files = Self.operations.merging(
      ["old.graphqls": Self.schema, "new.graphqls": Self.newer]) { $1 }
    let outcome = try await withFiles(files) {
      try await $0.apollo(
        "schema", "diff", "old.graphqls", "new.graphqls", "--operations", "ops", "--format", "json")
    }
    struct Line: Decodable, Equatable {
      var criticality: String
      var kind: String
      var coordinate: String
      var message: String
      var breaks: [String]
    }
    let lines = try JSONDecoder().decode([Line].self, from: Data(outcome.output.utf8))
    #expect(
      lines.filter { $0.criticality == "breaking" }.map(\.breaks)
        == [["Hero"], ["Hero"], ["Names"], []])
    #expect(outcome.status == 1)
  }

  @Test func whatConcernsNoOperationDoesNotFail() async throws {
    let files = Self.operations.merging(
      ["old.graphqls": Self.schema, "new.graphqls": Self.newer]) { $1 }
    let outcome = try await withFiles(files) {
      try await $0.apollo(
        "schema", "diff", "old.graphqls", "new.graphqls", "--operations", "ops/types.graphql")
    }
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!outcome.output.contains("breaks"))
  }

  @Test(arguments: [
    // What becomes required breaks those who left it out.
    ("type Query { a(x: Int): Int }", "type Query { a(x: Int!): Int }", "breaking", ["A"]),
    ("type Query { a(x: Int! = 1): Int }", "type Query { a(x: Int!): Int }", "breaking", ["A"]),
    (
      "type Query { a(x: I): Int } input I { b: Int! = 1 c: Int }",
      "type Query { a(x: I): Int } input I { b: Int! c: Int }", "breaking", ["C", "V"]
    ),
    (
      "type Query { a(x: I): Int } input I { b: Int c: Int }",
      "type Query { a(x: I): Int } input I { b: Int! c: Int }", "breaking", ["C"]
    ),
    (
      "type Query { a(x: I): Int } input I { b: Int c: Int }",
      "type Query { a(x: I): Int } input I @oneOf { b: Int c: Int }", "breaking", ["D"]
    ),
    // An operation that selects the interface does not name the type.
    (
      "type Query { u: U } union U = T interface N { n: Int } type T implements N { n: Int }",
      "type Query { u: U } union U = T interface N { n: Int } type T { n: Int }", "breaking", ["E"]
    ),
    // A safe change can make fields differ that were alike.
    (
      "type Query { u: U } union U = T | V type T { n: Int } type V { n: Int }",
      "type Query { u: U } union U = T | V type T { n: Int! } type V { n: Int }", "safe", ["F"]
    ),
  ])
  func findsOperationsThatNoLongerFit(
    old: String, new: String, criticality: String, names: [String]
  ) async throws {
    let operations = [
      "A": "query A { a }", "C": "query C { a(x: { c: 1 }) }",
      "D": "query D { a(x: { b: 1, c: 1 }) }", "E": "query E { u { ... on N { n } } }",
      "F": "query F { u { ...T ... on V { n } } } fragment T on T { n }",
      "V": "query V($x: I) { a(x: $x) }", "Fine": "query Fine { __typename }",
    ]
    let used = names.compactMap { operations[$0] } + [operations["Fine", default: ""]]
    let files = [
      "old.graphqls": old, "new.graphqls": new, "o.graphql": used.joined(separator: "\n"),
    ]
    let outcome = try await withFiles(files) {
      try await $0.apollo(
        "schema", "diff", "old.graphqls", "new.graphqls", "--operations", "o.graphql")
    }
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 1 + names.count && lines[0].hasPrefix("\(criticality): "), "\(outcome)")
    #expect(lines.dropFirst().map { $0 } == names.map { "  breaks \($0)" })
    #expect(outcome.status == 1)
  }

  /// Directives for the generator are known, although the schemas do not define them.
  @Test func operationsForTheGeneratorAreCompared() async throws {
    let files = [
      "old.graphqls": "type Query { a: Int b: Int }", "new.graphqls": "type Query { a: Int }",
      "o.graphql": """
      query Local @apollo_client_ios_localCacheMutation { a }
      query Other @import(module: "M") { a ... @defer(label: "l") { b } }
      query Aged @cacheControl(maxAge: 5) { a @cacheControl(maxAge: 5) }
      """,
    ]
    let outcome = try await withFiles(files) {
      try await $0.apollo(
        "schema", "diff", "old.graphqls", "new.graphqls", "--operations", "o.graphql")
    }
    #expect(outcome.errors.isEmpty && outcome.status == 1, "\(outcome)")
    #expect(
      outcome.output == "breaking: Field Query.b was removed. [FIELD_REMOVED]\n  breaks Other\n")
  }

  @Test(
    arguments: [
      // What is written still fits.
      ("type Query { a(x: ID): Int }", "type Query { a(x: ID!): Int }", "A", []),
      (
        "type Query { u: U } union U = T | V type T { n: Int } type V { n: Int }",
        "type Query { u: U } union U = T type T { n: Int } type V { n: Int }", "B", []
      ),
      (
        "type Query { u: U } union U = T | V type T { n: Int } type V { n: Int }",
        "type Query { u: U } union U = V type T { n: Int } type V { n: Int }", "B", ["B"]
      ),
      (
        "type Query { k(k: K): K } enum K { A B }", "type Query { k(k: K): K } enum K { A }", "C",
        []
      ),
      // Nobody can see what variables hold.
      (
        "type Query { k(k: K): K } enum K { A B }", "type Query { k(k: K): K } enum K { A }", "D",
        ["D"]
      ),
      (
        "type Query { k(i: I): Int } input I { a: Int }",
        "type Query { k(i: I): Int } input I { a: Int b: Int! }", "E", ["E"]
      ),
      // The type of a field is used by the operations that select it.
      ("type Query { n: Int }", "type Query { n: String }", "F", ["F"]),
      // So is a scalar in place of an enum, but not by those that send its values alone.
      (
        "type Query { k(k: K): K } enum K { A B }", "type Query { k(k: K): K } scalar K", "C",
        ["C"]
      ),
      ("type Query { k(k: K): Int } enum K { A }", "type Query { k(k: K): Int } scalar K", "C", []),
    ] as [(String, String, String, [String])])
  func namesOnlyOperationsThatAChangeBreaks(
    old: String, new: String, name: String, broken: [String]
  ) async throws {
    let operations = [
      "A": "query A($x: ID!) { a(x: $x) b: a(x: 1) }", "B": "query B { u { ... on T { n } } }",
      "C": "query C { k(k: A) }", "D": "query D($k: K) { k(k: $k) }",
      "E": "query E($i: I) { k(i: $i) }", "F": "query F { n }",
    ]
    let files = [
      "old.graphqls": old, "new.graphqls": new, "o.graphql": operations[name, default: ""],
    ]
    let outcome = try await withFiles(files) {
      try await $0.apollo(
        "schema", "diff", "old.graphqls", "new.graphqls", "--operations", "o.graphql")
    }
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("breaking: ") }, "\(outcome)")
    #expect(lines.filter { $0.hasPrefix("  ") } == broken.map { "  breaks \($0)" })
    #expect(outcome.status == (broken.isEmpty ? 0 : 1))
  }

  @Test func aSchemaIsTheSameAsItself() async throws {
    let outcome = try await withFiles(["s.graphqls": Self.schema]) {
      try await $0.apollo("schema", "diff", "s.graphqls", "-", input: Self.schema)
    }
    #expect(outcome.output == "The schemas are the same.\n" && outcome.status == 0)
  }

  @Test func operationsThatDoNotFitTheOldSchemaAreReported() async throws {
    let outcome = try await withFiles(["s.graphqls": Self.schema, "o.graphql": "{ zzz }"]) {
      try await $0.apollo("schema", "diff", "s.graphqls", "s.graphqls", "--operations", "o.graphql")
    }
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(#"o.graphql:1:3: error: Cannot query field "zzz""#))
  }
}

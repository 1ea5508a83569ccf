import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The rules about the style of operations.
@Suite struct LintRuleTests {
  private func found(_ rule: LintRule, _ text: String, maximumDepth: Int = 10) throws -> [String] {
    let result = try diagnostics(rule, text, maximumDepth: maximumDepth)
    return result.found.map { diagnostic in
      #expect(diagnostic.rule.rawValue == rule.rawValue && diagnostic.severity == .error)
      return diagnostic.span.map { result.document.sources.text(of: $0) } ?? ""
    }
  }

  private func diagnostics(
    _ rule: LintRule, _ text: String, maximumDepth: Int = 10
  ) throws -> (found: [Diagnostic], document: Document) {
    let sdl = """
      type Query { hero: Hero, heroes(first: Int): [Hero], node: Node, named: Named, id: ID }
      interface Node { id: ID! }
      interface Named { name: String }
      type Hero implements Node & Named { id: ID!, name: String, friends: [Hero], list: [Plain] }
      type Plain { name: String, hero: Hero }
      """
    let schema = Schema.build([.sdl(Source(name: "s", text: sdl))]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    #expect(document.parse(Source(name: "o", text: text)).isEmpty)
    let valid = try #require(validate(document, against: schema).document)
    var configuration = LintConfiguration(severities: [rule: .error])
    configuration.maximumDepth = maximumDepth
    return (lint(valid, configuration: configuration), document)
  }

  @Test(
    arguments: [
      ("{ id }", []), ("{ hero { id } }", []), ("{ hero { name } }", ["hero"]),
      ("{ hero { name friends { name } } }", ["hero", "friends"]),
      ("{ hero { x: id } }", []), ("{ hero { list { name } id } }", []),
      ("{ node { ... on Hero { name } } }", ["node"]), ("{ node { ... on Hero { id } } }", []),
      ("{ named { name } }", []), ("{ hero { __typename } }", ["hero"]),
      ("{ hero { ...F } } fragment F on Hero { ...G } fragment G on Hero { id }", []),
      ("{ hero { ...F } } fragment F on Hero { name friends { name } }", ["hero", "friends"]),
    ] as [(String, [String])])
  func objectsAreSelectedWithTheirID(_ text: String, expected: [String]) throws {
    #expect(try found(.requireID, text) == expected)
  }

  /// The added field and the other one could be merged, which would be invalid.
  @Test(arguments: [
    "{ hero { id: name } }", "{ hero { ...F } } fragment F on Hero { id: name }",
    "{ hero { name } hero { id: name } }",
  ])
  func noIDIsAddedWhereAnotherFieldHasItsResponseName(_ text: String) throws {
    let found = try diagnostics(.requireID, text).found
    #expect(!found.isEmpty && found.allSatisfy(\.fixIts.isEmpty))
  }

  @Test(arguments: ["{ hero { name } }", "{ hero { name } id }"])
  func anIDIsAddedWhereItsResponseNameIsFree(_ text: String) throws {
    let found = try diagnostics(.requireID, text).found
    #expect(found.map(\.fixIts.count) == [1])
  }

  @Test(
    arguments: [
      ("query GetHero($first: Int) { myHero: heroes(first: $first) { id } }", []),
      ("query getHero { id }", ["getHero"]), ("query Get_Hero { id }", ["Get_Hero"]),
      ("query A($First: Int) { heroes(first: $First) { id } }", ["First"]),
      ("query A($first_one: Int) { heroes(first: $first_one) { id } }", ["first_one"]),
      ("{ ID: id _private: id URLof: id }", ["ID", "URLof"]),
      ("{ ...heroParts } fragment heroParts on Query { id }", ["heroParts"]),
      ("query A1 { a1: id }", []),
    ] as [(String, [String])])
  func namesAreInCamelCase(_ text: String, expected: [String]) throws {
    #expect(try found(.namingConvention, text) == expected)
  }

  @Test(
    arguments: [
      ("query A { hero { friends { id } } }", 3, []),
      ("query A { hero { friends { id } } }", 2, ["A"]),
      ("{ hero { ...F } } fragment F on Hero { friends { id } }", 2, [""]),
    ] as [(String, Int, [String])])
  func operationsHaveALimitedDepth(_ text: String, limit: Int, expected: [String]) throws {
    #expect(try found(.maximumDepth, text, maximumDepth: limit) == expected)
  }

  @Test(
    arguments: [
      ("{ hero { friends { id } id name } }", []), ("{ hero { id friends { id } } }", ["friends"]),
      ("{ hero { name b: id a: id } }", ["b"]), ("{ a2: id a10: id }", []),
      ("{ ... { id hero { id } } }", ["hero"]), ("{ id ... { hero { id } } node { id } }", []),
      ("{ ...F } fragment F on Query { node { id } id }", ["id"]),
    ] as [(String, [String])])
  func fieldsAreInAlphabeticalOrder(_ text: String, expected: [String]) throws {
    #expect(try found(.alphabetical, text) == expected)
  }
}

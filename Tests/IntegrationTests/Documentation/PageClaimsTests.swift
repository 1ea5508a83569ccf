import Foundation
import Testing

/// The tables of `Documentation/ApolloIOSPages.md` and `Documentation/Reliability.md` name tests
/// that exist.
struct PageClaimsTests {
  @Test func everyStatementHasTests() throws {
    let tests = try Self.tests()
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("Documentation/ApolloIOSPages.md"),
      encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .filter { !$0.hasPrefix("| statement") && !$0.hasPrefix("| :--") }
    #expect(rows.count > 60)
    for row in rows {
      let names = row.split(separator: "|").last?.matches(of: /`(\w+)\.(\w+)`/) ?? []
      #expect(!names.isEmpty, "This statement has no test: \(row)")
      for name in names {
        #expect(
          tests[String(name.1)]?.contains(String(name.2)) == true,
          "There is no test '\(name.1).\(name.2)'.")
      }
    }
  }

  @Test func everyTestOfAFailureExists() throws {
    let suites = try Self.tests()
    let functions = suites.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    let targets = Set(
      try FileManager.default.contentsOfDirectory(
        atPath: Repository.root.appendingPathComponent("Tests").path))
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("Documentation/Reliability.md"),
      encoding: .utf8)
    let names = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .compactMap { $0.split(separator: "|").last }
      .flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
    #expect(names.count > 300)
    for name in names {
      let exists =
        name.hasSuffix("Tests")
        ? suites[name] != nil || targets.contains(name) : functions.contains(name)
      #expect(exists, "There is no test '\(name)'.")
    }
  }

  /// The names of the tests by the type that they are in.
  private static func tests() throws -> [String: Set<String>] {
    let folder = Repository.root.appendingPathComponent("Tests")
    var tests: [String: Set<String>] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix("Tests.swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      let names = text.matches(of: /func (\w+)/).map { String($0.1) }
      for type in text.matches(of: /(?:struct|class|extension) (\w+Tests)\b/) {
        tests[String(type.1), default: []].formUnion(names)
      }
    }
    return tests
  }

  @Test func anOperationWithoutANameIsRejected() async throws {
    try await withTemporaryFolder { folder in
      let project = Project(folder: folder)
      try project.write("type Query { hero: Int }", to: "schema.graphqls")
      try project.write("{ hero }", to: "operations.graphql")
      try project.write(
        """
        {
          "schemaNamespace": "MyAPI",
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } }
        }
        """, to: "apollo-codegen-config.json")
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("operations.graphql:1:1: error: "), "\(outcome.errors)")
    }
  }
}

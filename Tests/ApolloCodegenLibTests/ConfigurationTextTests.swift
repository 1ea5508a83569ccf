import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// The lines and columns of problems in a configuration.
@Suite struct ConfigurationTextTests {
  private func places(_ text: String) -> [String] {
    let source = ConfigurationText(text, name: "c.json")
    var problems: [ConfigurationProblem] = []
    do {
      problems = try ApolloCodegenConfiguration(json: text).problems
    } catch {
      problems = error.problems
    }
    return DiagnosticFormat.xcode.render(source.diagnostics(for: problems), in: source.sources)
      .split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test(
    arguments: [
      // A missing value has the place of the object that lacks it.
      ("{}", ["c.json:1:1:", "c.json:1:1:"]),
      (#"{ "schemaNamespace": "A", "output": { } }"#, ["c.json:1:27:"]),
      // Keys of older versions have the problems of present ones.
      (#"{ "schemaName": 1, "output": 1 }"#, ["c.json:1:17:", "c.json:1:30:"]),
      // Columns are characters.
      (
        "{ \"é\": 1,\n \"schemaNamespace\": \"A\", \"output\": 1 }",
        ["c.json:1:3:", "c.json:2:36:"]
      ),
      // An item of an array.
      (
        #"{ "schemaNamespace": "A", "output": 1, "input": { "schemaSearchPaths": ["a", 2] } }"#,
        ["c.json:1:37:", "c.json:1:78:"]
      ),
      // A name with dots.
      (
        #"{ "schemaNamespace": "A", "output": 1, "ruleSeverities": { "a.b": "off" } }"#,
        ["c.json:1:37:", "c.json:1:60:"]
      ),
      // What is not JSON.
      ("{\n \"a\" }", ["c.json:2:6:"]), ("", ["c.json:1:1:"]), ("{ \"a\": 1", ["c.json:1:9:"]),
      ("{ \"a\": 1, \"a\": 2 }", ["c.json:1:11:"]),
    ] as [(String, [String])])
  func problemsHavePlaces(_ text: String, expected: [String]) {
    #expect(places(text) == expected)
  }

  @Test func trailingCommasDoNotMovePlaces() {
    #expect(
      places("{\n  \"schemaNamespace\": 1,\n  \"output\": 1,\n}") == [
        "c.json:2:22:", "c.json:3:13:",
      ])
  }
}

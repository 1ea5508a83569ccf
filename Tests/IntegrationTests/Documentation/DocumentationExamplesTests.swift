import Foundation
import Testing

/// Every Swift example in a documentation comment is compiled, as a part of a file of the tests.
///
/// ``DocumentationTests`` compiles the examples of the articles.
struct DocumentationExamplesTests {
  @Test(arguments: [
    ("Sources/Apollo", "Tests/IntegrationTests/Documentation/ApolloExamples.swift"),
    ("Sources/ApolloPagination", "Tests/ApolloPaginationTests/PaginationExamples.swift"),
    ("Sources/ApolloFakeServer", "Tests/ApolloFakeServerTests/FakeServerExamples.swift"),
    ("Sources/GraphQLFakeServer", "Tests/ApolloFakeServerTests/FakeServerExamples.swift"),
    ("Sources/ApolloRecording", "Tests/ApolloTestSupportTests/ApolloTestSupportExamples.swift"),
    ("Sources/ApolloTestSupport", "Tests/ApolloTestSupportTests/ApolloTestSupportExamples.swift"),
    ("Sources/ApolloInspector", "Tests/ApolloInspectorTests/InspectorExamples.swift"),
    ("Sources/ApolloCodegenLib", "Tests/ApolloCodegenLibTests/CodegenExamples.swift"),
  ])
  func everyExampleIsCompiled(folder: String, examples: String) throws {
    let compiled = try String(
      contentsOf: Repository.root.appendingPathComponent(examples), encoding: .utf8)
    let compiledLines = lines(of: compiled[...])
    let folder = Repository.root.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      for example in self.examples(in: text) {
        let isCompiled = compiledLines.contains(lines(of: example))
        #expect(isCompiled, "This example of \(path) is not in \(examples):\n\(example)")
      }
    }
  }

  /// The Swift code blocks of documentation comments.
  private func examples(in text: String) -> [Substring] {
    let page = text.replacing(/(?m)^ *\/\/\/ ?/, with: "")
    return page.matches(of: /(?ms)^ *```swift\n(.*?)^ *```$/).map(\.1)
  }

  /// The lines that are not empty, without indentation, as one string.
  private func lines(of code: Substring) -> String {
    code.split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
      .joined(separator: "\n") + "\n"
  }
}

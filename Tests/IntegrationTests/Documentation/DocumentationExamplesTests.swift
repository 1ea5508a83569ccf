import Foundation
import Testing

/// Every Swift example in a documentation comment is compiled, as a part of a file of the tests.
///
/// ``DocumentationTests`` compiles the examples of the articles.
struct DocumentationExamplesTests {
  /// The modules whose comments have examples, and the files that compile these.
  private static let files = [
    ("Apollo", "IntegrationTests/Documentation/ApolloExamples.swift"),
    ("ApolloAPI", "ApolloTests/Documentation/APIExamples.swift"),
    ("ApolloCache", "ApolloTests/Documentation/CacheExamples.swift"),
    ("ApolloSQLite", "ApolloSQLiteTests/SQLiteExamples.swift"),
    ("ApolloRedis", "ApolloRedisTests/RedisExamples.swift"),
    ("ApolloTransport", "ApolloTests/Documentation/TransportExamples.swift"),
    ("ApolloWebSocket", "ApolloTests/Documentation/WebSocketExamples.swift"),
    ("ApolloObservation", "ApolloObservationTests/ObservationExamples.swift"),
    ("ApolloOffline", "ApolloOfflineTests/OfflineExamples.swift"),
    ("ApolloPagination", "ApolloPaginationTests/PaginationExamples.swift"),
    ("ApolloFakeServer", "ApolloFakeServerTests/FakeServerExamples.swift"),
    ("GraphQLFakeServer", "ApolloFakeServerTests/FakeServerExamples.swift"),
    ("ApolloRecording", "ApolloTestSupportTests/ApolloTestSupportExamples.swift"),
    ("ApolloTestSupport", "ApolloTestSupportTests/ApolloTestSupportExamples.swift"),
    ("ApolloInspector", "ApolloInspectorTests/InspectorExamples.swift"),
    ("LocalHTTP", "LocalHTTPTests/LocalHTTPExamples.swift"),
    ("GraphQLSyntax", "GraphQLSyntaxTests/SyntaxExamples.swift"),
    ("GraphQLSchema", "GraphQLSchemaTests/SchemaExamples.swift"),
    ("GraphQLValidation", "GraphQLValidationTests/ValidationExamples.swift"),
    ("SwiftSource", "SwiftSourceTests/SwiftSourceExamples.swift"),
    ("ApolloCodegenLib", "ApolloCodegenLibTests/CodegenExamples.swift"),
    ("GraphQLLanguageServer", "GraphQLLanguageServerTests/LanguageServerExamples.swift"),
  ]

  private static let sources = Repository.root.appendingPathComponent("Sources")

  @Test(arguments: files)
  func everyExampleIsCompiled(module: String, file: String) throws {
    let compiled = try String(
      contentsOf: Repository.root.appendingPathComponent("Tests/\(file)"), encoding: .utf8)
    let compiledLines = lines(of: compiled[...])
    for (path, example) in try examples(of: module) {
      let isCompiled = compiledLines.contains(lines(of: example))
      #expect(isCompiled, "This example of \(path) is not in \(file):\n\(example)")
    }
  }

  @Test func everyModuleWithExamplesHasAFile() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    let modulesWithExamples = try modules.filter {
      try !$0.hasPrefix(".") && !examples(of: $0).isEmpty
    }
    #expect(Set(modulesWithExamples) == Set(Self.files.map(\.0)))
  }

  /// The Swift code blocks of a module's documentation comments, and the paths of their files.
  private func examples(of module: String) throws -> [(path: String, example: Substring)] {
    let folder = Self.sources.appendingPathComponent(module)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    return try paths.filter { $0.hasSuffix(".swift") }.flatMap { path in
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      return examples(in: text).map { (path, $0) }
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

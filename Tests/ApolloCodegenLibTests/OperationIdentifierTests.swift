import ApolloCodegenLib
import Foundation
import Testing

/// Identifiers of operations, from a provider or from hashes.
@Suite struct OperationIdentifierTests {
  private static let configuration = """
    { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
      "options": { "operationDocumentFormat": ["definition", "operationIdentifier"] },
      "operationManifest": { "path": "m.json", "generateManifestOnCodeGeneration": true } }
    """

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("type Query { a: Int } type Mutation { b: Int }", to: "schema.graphqls")
    try folder.write(
      "query Q { ...F } fragment F on Query { a } mutation M { b }", to: "operations.graphql")
    return folder
  }

  @Test func aProviderComputesTheIdentifier() throws {
    let folder = try project()
    let configuration = try ApolloCodegenConfiguration(json: Self.configuration)
    let generator = Generator(configuration, rootFolder: folder.path) { operation in
      "\"\(operation.kind.rawValue) \(operation.name)\": \(operation.document)\\("
    }
    _ = try generator.generate()
    let query = try folder.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(
      query.contains(
        #"operationIdentifier: "\"query Q\": query Q { ...F }\nfragment F on Query { __typename a }\\(""#
      ), "\(query)")
    let mutation = try folder.text(of: "out/Operations/Mutations/MMutation.graphql.swift")
    #expect(mutation.contains(#""\"mutation M\": mutation M { b }\\(""#), "\(mutation)")
    let manifest = try folder.text(of: "m.json")
    #expect(manifest.contains(#""id": "\"mutation M\": mutation M { b }\\(""#), "\(manifest)")
    #expect(try generator.generate().summary.written == [])
  }

  /// The client cannot find `@stream` in a text that is not sent.
  @Test(arguments: [
    ("query Q { a @stream }", "operationIdentifier", true),
    (
      "query Q { ...F } fragment F on Query { a @stream(initialCount: 1) }", "operationIdentifier",
      true
    ),
    ("query Q { a @streamed }", "operationIdentifier", false),
    ("query Q { a }", "operationIdentifier", false),
    ("query Q { a @stream }", "definition", false),
  ])
  func anOperationWithoutItsTextSaysThatItIsStreamed(
    _ document: String, format: String, isSaid: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      directive @stream(initialCount: Int = 0, label: String) on FIELD
      directive @streamed on FIELD
      type Query { a: [Int] }
      """, to: "schema.graphqls")
    try folder.write(document, to: "operations.graphql")
    let configuration = try ApolloCodegenConfiguration(
      json: Self.configuration.replacingOccurrences(
        of: #"["definition", "operationIdentifier"]"#, with: "[\"\(format)\"]"))
    _ = try Generator(configuration, rootFolder: folder.path).generate()
    let query = try folder.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(query.contains("IncrementalDeferredResponseFormat") == isSaid, "\(query)")
  }

  @Test func withoutAProviderIdentifiersAreHashesOfTheText() throws {
    let folder = try project()
    let configuration = try ApolloCodegenConfiguration(json: Self.configuration)
    _ = try Generator(configuration, rootFolder: folder.path).generate()
    let mutation = try folder.text(of: "out/Operations/Mutations/MMutation.graphql.swift")
    #expect(
      mutation.contains("236c705f8736dbe58f929743be9b8d99e4a9ba9bf88ec17e8b90145c830610ea"))
  }
}

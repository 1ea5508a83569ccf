import ApolloCodegenLib
import Foundation
import Testing

/// The files whose changes make the build plugin run again.
@Suite struct PluginInputTests {
  private func inputs(
    _ input: String, files: [String], links: [String: String] = [:]
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    for file in files { try folder.write("", to: file) }
    for (link, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(link)", withDestinationPath: target)
    }
    try folder.write(#"{ "input": { \#(input) }, }"#, to: "App/apollo-codegen-config.json")
    let app = URL(fileURLWithPath: folder.path + "/App")
    let root = URL(fileURLWithPath: folder.path).standardizedFileURL.path
    return PluginInputs(
      app.appendingPathComponent("apollo-codegen-config.json"), ownSources: app
    ).files.map { String($0.path.dropFirst(root.count + 1)) }
  }

  @Test func aSchemaThatTargetsShareIsAnInput() throws {
    let found = try inputs(
      #""schemaSearchPaths": ["../Shared/schema.graphqls", "../types.txt"]"#,
      files: ["App/main.swift", "Shared/schema.graphqls", "Shared/other.graphqls", "types.txt"])
    #expect(
      found == [
        "App/apollo-codegen-config.json", "App/main.swift", "Shared/schema.graphqls", "types.txt",
      ])
  }

  @Test func operationsOfASharedFolderAreInputs() throws {
    let found = try inputs(
      #""operationSearchPaths": ["../Shared/**/*.graphql", "!../Shared/Old/**"]"#,
      files: ["Shared/Deep/Hero.graphql", "Shared/build/copy.graphql", "Other/a.graphql"])
    #expect(found == ["App/apollo-codegen-config.json", "Shared/Deep/Hero.graphql"])
  }

  @Test(arguments: [
    ("{../Shared,.}/*.graphqls", "Shared/schema.graphqls"),
    ("../{Old,Sh{are,ow}d}/*.graphqls", "Shared/schema.graphqls"),
    ("../{Shared}/*.graphqls", "{Shared}/schema.graphqls"),
    ("../Shared/*.schema", "Shared/types.schema"),
    ("**/*.{schema,graphqls}", "App/GraphQL/types.schema"),
    ("../Shared/s*a.g*", "Shared/schema.gqls"),
    ("**/build/*.graphqls", "App/GraphQL/build/schema.graphqls"),
    ("../Shared/**/.hidden/*.graphqls", "Shared/Deep/.hidden/schema.graphqls"),
    ("../Sh?red/../Shared/./schema.graphqls", "Shared/schema.graphqls"),
  ])
  func everyFileThatASearchPathMatchesIsAnInput(_ pattern: String, _ file: String) throws {
    #expect(try Glob([pattern], root: "/App").matches("/\(file)"), "the generator reads it")
    let found = try inputs(#""schemaSearchPaths": ["\#(pattern)"]"#, files: [file])
    #expect(found == ["App/apollo-codegen-config.json", file].sorted())
  }

  @Test func filesBehindALinkThatASearchPathNamesAreInputs() throws {
    let found = try inputs(
      #""schemaSearchPaths": ["Linked/*.graphqls"]"#,
      files: ["App/main.swift", "Shared/schema.graphqls"], links: ["App/Linked": "../Shared"])
    #expect(
      found == [
        "App/Linked/schema.graphqls", "App/apollo-codegen-config.json", "App/main.swift",
      ])
  }

  /// Otherwise the code that the plugin generates would be an input of itself.
  @Test func aHiddenFolderThatASearchPathBeginsWithHasNoOtherInputs() throws {
    let schema = "App/.build/checkouts/API/schema.graphqls"
    let found = try inputs(
      #""schemaSearchPaths": [".build/checkouts/**/*.graphqls"]"#,
      files: [schema, "App/.build/plugins/outputs/Schema.graphql.swift"])
    #expect(found == [schema, "App/apollo-codegen-config.json"])
  }
}

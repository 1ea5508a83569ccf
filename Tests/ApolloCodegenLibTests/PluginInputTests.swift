import Foundation
import Testing

/// The files whose changes make the build plugin run again.
@Suite struct PluginInputTests {
  private func inputs(_ input: String, files: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    for file in files { try folder.write("", to: file) }
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
}

import ApolloCodegenLib
import Testing

/// The files that `init` writes beside the configuration, in memory.
@Suite struct FirstFilesTests {
  private static let metadata = "Schema/SchemaMetadata.graphql.swift"

  private func firstFiles(
    _ moduleType: String, path: String, in fileSystem: MemoryFileSystem
  ) throws -> FirstFiles {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        {
          "schemaNamespace": "API",
          "output": {"schemaTypes": {"path": "\(path)", "moduleType": \(moduleType)}}
        }
        """)
    return FirstFiles(configuration, root: "/project", fileSystem)
  }

  @Test func writesOneSourceAndTouchesTheManifestOfATarget() throws {
    let manifest = "/project/Package.swift"
    let fileSystem = MemoryFileSystem([manifest: "// The manifest"])
    let before = fileSystem.stamp(of: manifest)
    let files = try firstFiles(#"{"other": {}}"#, path: "Sources/API", in: fileSystem)
    #expect(files.manifestOfProject == manifest)
    #expect(try files.write() == ["/project/Sources/API/\(Self.metadata)"])
    #expect(fileSystem.stamp(of: manifest) != before)
    #expect(fileSystem.text(of: manifest) == "// The manifest")
  }

  @Test func writesAManifestForAPackage() throws {
    let fileSystem = MemoryFileSystem([:])
    let files = try firstFiles(
      #"{"swiftPackage": {"apolloSDKDependency": {"sdkVersion": {"local": {"path": "../sdk"}}}}}"#,
      path: "API", in: fileSystem)
    #expect(files.manifestOfProject == nil)
    let written = try files.write()
    #expect(written.contains("/project/API/Package.swift"))
    #expect(written.contains { $0.hasSuffix(Self.metadata) })
    #expect(Set(written) == Set(fileSystem.files.keys))
  }

  @Test(arguments: [
    (#"{"embeddedInTarget": {"name": "App"}}"#, "Sources/API/Other.txt"),
    (#"{"other": {}}"#, "Sources/API/Own.swift"),
  ])
  func writesNothingIfTheModuleHasSources(_ moduleType: String, _ existing: String) throws {
    let fileSystem = MemoryFileSystem(["/project/\(existing)": ""])
    let files = try firstFiles(moduleType, path: "Sources/API", in: fileSystem)
    #expect(try files.write() == [])
    #expect(fileSystem.files.count == 1)
  }
}

import Foundation
import Testing

/// `apollo-cli init`: the configuration, the first files of the module, and the steps that follow.
@Suite(.timeLimit(.minutes(10)))
struct InitTests {
  private let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription

    let package = Package(name: "MyApp", targets: [.executableTarget(name: "MyApp")])
    """
  private let placeholder = "Sources/MyAPI/Schema/SchemaMetadata.graphql.swift"

  /// SwiftPM drops a target from its plan while the target's folder has no source.
  @Test func aModuleOfAPackageHasASourceBeforeTheFirstGeneration() async throws {
    try await withFiles(["Package.swift": manifest]) { project in
      try project.makeOld("Package.swift")
      let outcome = try await project.initialize("other")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try project.text(of: placeholder).contains("run 'apollo-cli generate'"))
      // A change of the manifest makes SwiftPM plan again.
      #expect(try project.age(of: "Package.swift") < 3600)
    }
  }

  @Test func theFirstGenerationReplacesTheFirstFile() async throws {
    let files = [
      "Package.swift": manifest,
      "GraphQL/schema.graphqls": "type Query { name: String }",
      "GraphQL/Name.graphql": "query Name { name }",
    ]
    try await withFiles(files) { project in
      _ = try await project.initialize("other")
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let text = try project.text(of: placeholder)
      #expect(text.contains("enum SchemaMetadata") && !text.contains("#warning"))
    }
  }

  @Test func aPackageOfItsOwnCanBeResolvedBeforeTheFirstGeneration() async throws {
    try await withFiles([:]) { project in
      let outcome = try await project.initialize("swiftPackage")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try project.text(of: "MyAPI/Package.swift").contains("\"apollo-swift\""))
      _ = try project.text(of: "MyAPI/Sources/Schema/SchemaMetadata.graphql.swift")
    }
  }

  @Test func aModuleWithSourcesIsLeftAsItIs() async throws {
    let source = "Sources/MyAPI/Own.swift"
    try await withFiles(["Package.swift": manifest, source: "// mine"]) { project in
      let before = try project.contents(of: "Sources")
      _ = try await project.initialize("other")
      #expect(try project.contents(of: "Sources") == before)
    }
  }

  @Test func otherToolsLearnTheSearchPaths() async throws {
    try await withFiles([:]) { project in
      _ = try await project.initialize("other")
      let text = try project.text(of: ".graphqlrc.yml")
      #expect(text == "schema:\n  - \"**/*.graphqls\"\ndocuments:\n  - \"**/*.graphql\"\n")
      try project.write("mine", to: ".graphqlrc.yml")
      _ = try await project.apollo([
        "init", "--schema-namespace", "MyAPI", "--module-type", "other", "--overwrite",
      ])
      #expect(try project.text(of: ".graphqlrc.yml") == "mine")
    }
  }

  @Test func aTargetThatEmbedsTheCodeGetsNoFirstFile() async throws {
    let source = "Sources/MyApp/main.swift"
    try await withFiles(["Package.swift": manifest, source: "print(1)"]) { project in
      let outcome = try await project.initialize("embeddedInTarget", "--target-name", "MyApp")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try project.contents(of: "Sources").keys.sorted() == ["MyApp/main.swift"])
      let configuration = try project.text(of: "apollo-codegen-config.json")
      #expect(configuration.contains("\"./Sources/MyApp/MyAPI\""))
    }
  }

  @Test(arguments: [[], ["--target-name", ""], ["--target-name", " "]])
  func aTargetThatEmbedsTheCodeNeedsAName(_ options: [String]) async throws {
    try await withFiles(["Package.swift": manifest]) { project in
      let outcome = try await project.apollo(
        ["init", "--schema-namespace", "MyAPI", "--module-type", "embeddedInTarget"] + options)
      #expect(outcome.status != 0)
      #expect(
        outcome.errors.contains(
          "embeddedInTarget needs the name of the target: --target-name NAME"),
        "\(outcome.errors)")
    }
  }

  @Test func theStepsThatFollowAreNamed() async throws {
    try await withFiles(["Package.swift": manifest]) { project in
      let outcome = try await project.initialize("other", "--endpoint", "http://127.0.0.1/graphql")
      #expect(
        outcome.output == """
          Wrote 'apollo-codegen-config.json'.
          Wrote '.graphqlrc.yml'.
          Wrote 'Sources/MyAPI/Schema/SchemaMetadata.graphql.swift'.
          Next:
            1. Add a target to 'Package.swift', and name "MyAPI" among the dependencies of the target
               that uses it:
                 .target(
                   name: "MyAPI",
                   dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")]),
            2. Download the schema: apollo-cli fetch-schema
            3. Write operations in files whose names end in '.graphql'.
            4. Generate the Swift code: apollo-cli generate

          """)
    }
  }

  @Test func theStepsNameAConfigurationElsewhere() async throws {
    try await withFiles([:]) { project in
      let outcome = try await project.initialize("other", "--path", "App/api.json")
      #expect(outcome.output.contains("schema as 'App/GraphQL/schema.graphqls'."), "\(outcome)")
      #expect(outcome.output.contains("apollo-cli generate --path 'App/api.json'\n"))
    }
  }

  @Test func whatTheManifestHasIsNotAskedFor() async throws {
    let complete = manifest + "\n// \"MyAPI\""
    try await withFiles(["Package.swift": complete]) { project in
      let outcome = try await project.initialize("other")
      #expect(!outcome.output.contains("Add a target"))
      #expect(outcome.output.contains("1. Save your server's schema as 'GraphQL/schema.graphqls'."))
    }
  }
}

extension Project {
  fileprivate func initialize(_ moduleType: String, _ others: String...) async throws -> Outcome {
    try await apollo(["init", "--schema-namespace", "MyAPI", "--module-type", moduleType] + others)
  }

  /// Makes a file look as if it had been written long ago.
  fileprivate func makeOld(_ path: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)],
      ofItemAtPath: folder.appendingPathComponent(path).path)
  }

  /// The seconds since a file was changed.
  fileprivate func age(of path: String) throws -> TimeInterval {
    let file = folder.appendingPathComponent(path).path
    let date = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    return -(try #require(date)).timeIntervalSinceNow
  }
}

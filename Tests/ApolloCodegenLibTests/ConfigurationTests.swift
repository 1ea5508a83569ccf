import ApolloCodegenLib
import Testing

@Suite struct ConfigurationTests {
  private static let minimal = """
    "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } }
    """

  @Test func fillsInTheDefaults() throws {
    let configuration = try ApolloCodegenConfiguration(json: "{\(Self.minimal)}")
    #expect(configuration.input.schemaSearchPaths == ["**/*.graphqls"])
    #expect(configuration.input.operationSearchPaths == ["**/*.graphql"])
    #expect(configuration.output.operations == .inSchemaModule)
    #expect(configuration.output.testMocks == .none)
    #expect(configuration.options == .init())
    #expect(configuration.options.pruneGeneratedFiles)
    #expect(configuration.experimentalFeatures.fieldMerging == .all)
    #expect(configuration.schemaDownload == nil)
    #expect(configuration.operationManifest == nil)
  }

  @Test func readsEveryKey() throws {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaName": "API",
          "input": { "schemaPath": "a.graphqls", "operationSearchPaths": ["b/*.graphql", "!b/c.graphql"] },
          "output": {
            "schemaTypes": { "path": "out", "moduleType": { "swiftPackage": { "apolloSDKDependency": {
              "url": "https://example.org/sdk.git", "sdkVersion": { "branch": { "name": "main" } } } } } },
            "operations": { "relative": { "subpath": "gen", "accessModifier": "internal" } },
            "testMocks": { "absolute": { "path": "mocks" } } },
          "options": {
            "additionalInflectionRules": [{ "irregular": { "singular": "goose", "plural": "geese" } }],
            "additionalCapitalizationRules": [{ "term": { "string": "id" }, "strategy": "upper" }],
            "deprecatedEnumCases": "exclude", "schemaDocumentation": "exclude",
            "warningsOnDeprecatedUsage": "exclude",
            "selectionSetInitializers": { "operations": true, "definitionsNamed": ["A"] },
            "operationDocumentFormat": ["definition", "operationId"],
            "schemaCustomization": { "customTypeNames": {
              "A": "B", "E": { "enum": { "name": "F", "cases": { "a": "b" } } } } },
            "reduceGeneratedSchemaTypes": true,
            "conversionStrategies": { "enumCases": "none", "fieldAccessors": "camelCase", "inputObjects": "none" },
            "pruneGeneratedFiles": false, "appendSchemaTypeFilenameSuffix": true, "markTypesNonisolated": false,
            "additionalConformances": ["Codable"] },
          "experimentalFeatures": { "fieldMerging": ["ancestors"], "legacySafelistingCompatibleOperations": true,
            "directivesOnDirectiveDefinitions": true, "fragmentArguments": true },
          "operationManifest": { "path": "m.json", "version": "legacy", "generateManifestOnCodeGeneration": true },
          "schemaDownloadConfiguration": {
            "downloadMethod": { "introspection": { "endpointURL": "http://localhost/graphql",
              "httpMethod": { "GET": { "queryParameterName": "q" } }, "outputFormat": "JSON" } },
            "downloadTimeout": 5, "headers": { "A": "B" }, "outputPath": "schema.json" } }
        """)
    #expect(configuration.schemaNamespace == "API")
    #expect(configuration.input.schemaSearchPaths == ["a.graphqls"])
    #expect(
      configuration.output.schemaTypes.moduleType
        == .swiftPackage(
          dependency: .init(url: "https://example.org/sdk.git", version: .branch("main"))))
    #expect(
      configuration.output.operations == .relative(subpath: "gen", accessModifier: .internal))
    #expect(configuration.output.testMocks == .absolute(path: "mocks"))
    let options = configuration.options
    #expect(options.additionalInflectionRules == [.irregular(singular: "goose", plural: "geese")])
    #expect(options.operationDocumentFormat == [.definition, .operationIdentifier])
    #expect(options.customTypeNames["E"]?.members == ["a": "b"])
    #expect(options.conversionStrategies.fieldAccessors == .camelCase)
    #expect(options.markTypesNonisolated == false)
    #expect(options.additionalConformances == [.codable])
    #expect(configuration.experimentalFeatures.fieldMerging == .ancestors)
    #expect(configuration.experimentalFeatures.directivesOnDirectiveDefinitions)
    #expect(configuration.experimentalFeatures.fragmentArguments)
    #expect(configuration.operationManifest?.version == .legacy)
    #expect(configuration.schemaDownload?.timeout == 5)
    #expect(configuration.schemaDownload?.headers == [.init(key: "A", value: "B")])
  }

  @Test(arguments: [
    (#""optons": {}"#, "optons: Unknown key. Did you mean 'options'?"),
    (
      #""options": { "pruneGeneratedFile": true }"#,
      "options.pruneGeneratedFile: Unknown key. Did you mean 'pruneGeneratedFiles'?"
    ),
    (
      #""options": { "pruneGeneratedFiles": "yes" }"#,
      "options.pruneGeneratedFiles: Expected true or false, found a string."
    ),
    (
      #""options": { "schemaDocumentation": "maybe" }"#,
      "options.schemaDocumentation: 'maybe' is not known here. Use one of 'include', 'exclude'."
    ),
    (
      #""options": { "additionalCapitalizationRules": [{ "term": "id", "strategy": "upper" }] }"#,
      "options.additionalCapitalizationRules[0].term: "
        + #"Expected { "string": "…" } or { "regex": "…" }, found a string."#
    ),
    (
      #""options": { "additionalCapitalizationRules": [{ "term": { "regex": {} }, "strategy": "lower" }] }"#,
      "options.additionalCapitalizationRules[0].term.regex: Expected a string, found an object."
    ),
    (
      #""experimentalFeatures": { "fieldMerging": ["parents"] }"#,
      "experimentalFeatures.fieldMerging: 'parents' is not known here. "
        + "Use one of 'all', 'ancestors', 'namedFragments', 'siblings'."
    ),
    (
      #""input": { "operationSearchPaths": [1] }"#,
      "input.operationSearchPaths[0]: Expected a string, found a number."
    ),
  ])
  func reportsAnUnknownKeyWithTheNearestOne(_ member: String, _ message: String) {
    #expect(description(of: "{\(Self.minimal), \(member)}") == message)
  }

  @Test(arguments: [
    (
      #""options": { "schemaNamespace": "API" }"#,
      "options.schemaNamespace: Unknown key. It belongs at the top level."
    ),
    (
      #""pruneGeneratedFiles": true"#, "pruneGeneratedFiles: Unknown key. It belongs in 'options'."
    ),
    (
      #""options": { "enumCases": "none" }"#,
      "options.enumCases: Unknown key. It belongs in 'options.conversionStrategies'."
    ),
    (
      #""input": { "testMocks": { "none": {} } }"#,
      "input.testMocks: Unknown key. It belongs in 'output'."
    ),
    (
      #""schemaDownload": { "downloadMethod": { "introspection": { "endpointURL": "a", "headers": [] } }, "outputPath": "b" }"#,
      "schemaDownload.downloadMethod.introspection.headers: Unknown key. It belongs in 'schemaDownload'."
    ),
  ])
  func reportsTheRightPlaceOfAKey(_ member: String, _ message: String) {
    #expect(description(of: "{\(Self.minimal), \(member)}") == message)
  }

  @Test(arguments: [
    (
      #""testMocks": { "none": {}, "schemaDownloadConfiguration": {} }"#,
      "output.testMocks.schemaDownloadConfiguration: Unknown key. It belongs at the top level."
    ),
    (
      #""testMocks": { "none": {}, "absolute": { "path": "mocks" } }"#,
      "output.testMocks: Expected exactly one of: none, absolute, swiftPackage."
    ),
    (
      #""operations": {}"#,
      "output.operations: Expected exactly one of: inSchemaModule, relative, absolute."
    ),
    (
      #""operations": { "relative": { "path": "out" } }"#,
      "output.operations.relative.path: Unknown key. Known keys: subpath, accessModifier."
    ),
  ])
  func reportsAnUnknownChoice(_ member: String, _ message: String) {
    let types = #""schemaTypes": { "path": "out", "moduleType": { "other": {} } }"#
    #expect(
      description(of: #"{ "schemaNamespace": "API", "output": { \#(types), \#(member) } }"#)
        == message)
  }

  /// Foundation accepts trailing commas, so existing files have them.
  @Test func acceptsTrailingCommas() throws {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        {
          "input": { "operationSearchPaths": ["a,]/*.graphql", "b\\",}.graphql" , ], },
          \(Self.minimal) ,
        }
        """)
    #expect(
      configuration.input.operationSearchPaths == ["a,]/*.graphql", "b\",}.graphql"])
  }

  /// Swift's synthesized encoding calls values without a label `_0`.
  @Test(arguments: [
    #""apiKey": "k", "graphID": "g", "variant": "v""#,
    #""_0": { "apiKey": "k", "graphID": "g", "variant": "v" }"#,
    #""_0": { "key": "k", "graphID": "g", "variant": "v" }"#,
  ])
  func readsTheSettingsOfARegistry(_ settings: String) throws {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { \(Self.minimal), "schemaDownload": {
            "downloadMethod": { "apolloRegistry": { \(settings) } }, "outputPath": "s.graphqls" } }
        """)
    #expect(
      configuration.schemaDownload?.method
        == .apolloRegistry(.init(apiKey: "k", graphID: "g", variant: "v")))
  }

  @Test func reportsEveryProblemAtOnce() {
    #expect(
      description(of: #"{ "input": { "a": 1 }, "b": 2 }"#)
        == """
        b: Unknown key. Known keys: schemaNamespace, schemaName, input, output, options, \
        experimentalFeatures, schemaDownload, schemaDownloadConfiguration, operationManifest, ruleSeverities.
        schemaNamespace: Missing. Give the name of the generated schema module.
        output: Missing. Say where the generated files go.
        input.a: Unknown key. Known keys: schemaSearchPaths, schemaPath, operationSearchPaths.
        """)
  }

  @Test(arguments: [
    ("{ \"a\": }", "Line 1, column 8: Invalid JSON. Expected a value."),
    ("{\n  \"a\" 1 }", "Line 2, column 7: Invalid JSON. Expected ':'."),
    ("{,}", "Line 1, column 2: Invalid JSON."), ("[1,,]", "Line 1, column 4: Invalid JSON."),
    ("{ \"a\":,}", "Line 1, column 7: Invalid JSON."),
    ("{ \"a\": 1,, }", "Line 1, column 10: Invalid JSON."),
    ("{ \"a\": 1, \"a\": 2 }", "Line 1, column 11: The key 'a' is there twice. Remove one."),
    ("", "Line 1, column 1: Invalid JSON. Unexpected end of the text."),
    (String(repeating: "[", count: 100_000), "Line 1, column 100001: Invalid JSON. Unexpected end"),
    (
      String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
      "Line 1, column 65: The JSON is nested too deeply."
    ),
  ])
  func reportsTheLocationOfAJSONSyntaxError(_ json: String, _ place: String) {
    #expect(description(of: json).contains(place))
  }

  @Test(arguments: [
    ("output.testMocks", #""testMocks": { "swiftPackage": {} }"#)
  ])
  func rejectsMocksInAPackageThatIsNotGenerated(_ path: String, _ member: String) throws {
    let json = """
      { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } }, \(member) } }
      """
    let problems = try ApolloCodegenConfiguration(json: json).problems
    #expect(problems.map(\.path) == [path])
  }

  @Test(arguments: ["", "1a", "a b", "../Mocks", "API"])
  func rejectsInvalidNamesOfMockTargets(_ name: String) throws {
    var configuration = try ApolloCodegenConfiguration(json: "{\(Self.minimal)}")
    configuration.output.schemaTypes.moduleType = .swiftPackage(
      dependency: .init(version: .local(path: "sdk")))
    configuration.output.testMocks = .swiftPackage(targetName: name)
    #expect(
      configuration.problems.map(\.path) == ["output.testMocks.swiftPackage.targetName"])
  }

  @Test(arguments: [
    ("Api", false), ("Sources", false), ("ApolloAPI", false), ("apolloTestSupport", false),
    ("Apollo", false), ("ApolloCache", false), ("Foundation", false), ("Testing", false),
    ("Swift", false), ("testing", true), ("ApolloMocks", true),
  ])
  func aMockTargetCannotHaveTheModuleOrFolderOfAnotherTarget(
    _ name: String, isAccepted: Bool
  ) throws {
    var configuration = try ApolloCodegenConfiguration(json: "{\(Self.minimal)}")
    configuration.schemaNamespace = "api"
    configuration.output.schemaTypes.moduleType = .swiftPackage(
      dependency: .init(version: .local(path: "sdk")))
    configuration.output.testMocks = .swiftPackage(targetName: name)
    #expect(
      configuration.problems.map(\.path)
        == (isAccepted ? [] : ["output.testMocks.swiftPackage.targetName"]))
  }

  @Test func rejectsInitializersWithoutFieldMerging() throws {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        {\(Self.minimal), "options": { "selectionSetInitializers": { "operations": true } },
          "experimentalFeatures": { "fieldMerging": ["ancestors"] } }
        """)
    #expect(configuration.problems.map(\.path) == ["options.selectionSetInitializers"])
  }

  @Test(arguments: [
    "", "1a", "a b", "schema", "ApolloAPI", "a-b", "any", "Self", "protocol", "String", "swift",
    "GraphQLEnum", "selectionSet",
  ])
  func rejectsInvalidNamespaces(_ name: String) throws {
    var configuration = try ApolloCodegenConfiguration(json: "{\(Self.minimal)}")
    configuration.schemaNamespace = name
    #expect(!configuration.problems.isEmpty)
  }

  @Test func acceptsANamespaceWithTheNameOfItsTarget() throws {
    var configuration = try ApolloCodegenConfiguration(json: "{\(Self.minimal)}")
    configuration.output.schemaTypes.moduleType = .embeddedInTarget(name: "API")
    #expect(configuration.problems.isEmpty)
  }

  @Test(arguments: [("/Generated", "Generated"), ("", nil), ("/", nil), ("../Models", "../Models")])
  func readsSubpathsAsRelativeToTheOperation(_ text: String, _ subpath: String?) throws {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API", "output": {
            "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
            "operations": { "relative": { "subpath": "\(text)" } } } }
        """)
    #expect(configuration.output.operations == .relative(subpath: subpath))
  }

  /// Configurations of Apollo iOS only name the runtime of Apollo iOS.
  @Test(arguments: [
    ("", true), (#""apolloSDKDependency": {}"#, true),
    (#""apolloSDKDependency": { "sdkVersion": { "from": "1.0.0" } }"#, true),
    (#""apolloSDKDependency": { "url": "https://github.com/apollographql/apollo-ios" }"#, true),
    (
      #""apolloSDKDependency": { "url": "git@github.com:apollographql/apollo-ios.git/", "sdkVersion": "default" }"#,
      true
    ),
    (
      #""apolloSDKDependency": { "url": "https://github.com/apollographql/apollo-ios", "sdkVersion": { "local": { "path": "../x" } } }"#,
      false
    ),
    (#""apolloSDKDependency": { "url": "https://example.org/sdk.git" }"#, false),
    (#""apolloSDKDependency": { "sdkVersion": { "local": { "path": "../sdk" } } }"#, false),
  ])
  func warnsThatTheRuntimeIsExpectedBesideThePackage(_ member: String, _ isAssumed: Bool) throws {
    var warnings: [ConfigurationProblem] = []
    let configuration = try ApolloCodegenConfiguration(
      json: Self.package(member), warnings: &warnings)
    #expect(configuration.problems.isEmpty)
    #expect(
      warnings.map(\.path)
        == (isAssumed ? ["output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency"] : []))
    let manifest = try #require(PackageManifest(configuration))
    #expect(
      manifest.text.contains(#".package(name: "apollo-swift", path: "../apollo-swift")"#)
        == isAssumed)
  }

  @Test(arguments: [
    #""url": """#, #""sdkVersion": { "local": { "path": "" } }"#,
  ])
  func rejectsAnEmptyLocationOfTheRuntime(_ member: String) throws {
    let configuration = try ApolloCodegenConfiguration(
      json: Self.package(#""apolloSDKDependency": { \#(member) }"#))
    #expect(
      configuration.problems.map(\.path)
        == ["output.schemaTypes.moduleType.swiftPackage.apolloSDKDependency"])
  }

  private static func package(_ member: String) -> String {
    """
    { "schemaNamespace": "API",
      "output": { "schemaTypes": { "path": "out", "moduleType": { "swiftPackage": { \(member) } } } } }
    """
  }

  @Test(.timeLimit(.minutes(10))) func readsObjectsWithManyKeys() {
    let members = (0..<100_000).map { "\"k\($0)\": 0" }.joined(separator: ",")
    #expect(description(of: "{\(members), \"k0\": 1}").contains("'k0' is there twice"))
  }

  private func description(of json: String) -> String {
    do {
      _ = try ApolloCodegenConfiguration(json: json)
      return ""
    } catch {
      return error.description
    }
  }
}

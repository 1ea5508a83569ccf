import ApolloCodegenLib
import Testing

/// Removal of files that earlier runs left.
@Suite struct LeftoverTests {
  private let folder: TemporaryFolder
  private static let ours = GeneratedFile.marker + ". Do not edit.\n"

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("type Query { a: Int }", to: "schema.graphqls")
  }

  private func generate(
    operations: String, searching paths: String, mocks: String = #"{ "none": {} }"#,
    options: String = ""
  ) throws -> Generator.Report {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API",
          "input": { "schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": [\(paths)] },
          "output": { "schemaTypes": { "path": "Sources/API", "moduleType": { "other": {} } },
            "operations": \(operations), "testMocks": \(mocks) }, "options": { \(options) } }
        """)
    return try Generator(configuration, rootFolder: folder.path).generate()
  }

  @Test(arguments: [
    // Beside the operations, wherever they are.
    (#"{ "relative": {} }"#, #""Sources/**/*.graphql""#, "Sources/A/Old.graphql.swift", true),
    (#"{ "relative": {} }"#, #""Sources/A/*.graphql""#, "Sources/A/Old.graphql.swift", true),
    (#"{ "relative": {} }"#, #""Sources/A/*.graphql""#, "Sources/B/Old.graphql.swift", false),
    (
      #"{ "relative": { "subpath": "G" } }"#, #""Sources/**/*.graphql""#,
      "Sources/A/G/Old.graphql.swift", true
    ),
    (
      #"{ "relative": { "subpath": "G" } }"#, #""Sources/**/*.graphql""#,
      "Sources/A/Old.graphql.swift", false
    ),
    (
      #"{ "relative": { "subpath": "../G" } }"#, #""Sources/**/*.graphql""#,
      "Sources/G/Old.graphql.swift", true
    ),
    (
      #"{ "relative": { "subpath": "../G" } }"#, #""Sources/*/*.graphql""#,
      "Sources/G/Old.graphql.swift", true
    ),
    (
      #"{ "relative": {} }"#, #""Sources/{A,C}/*.graphql""#, "Sources/A/Old.graphql.swift", true
    ),
    // Excluded folders belong to another module.
    (
      #"{ "relative": {} }"#, #""Sources/**/*.graphql", "!Sources/B/**""#,
      "Sources/B/Old.graphql.swift", false
    ),
    (
      #"{ "relative": {} }"#, #""Sources/**/*.graphql", "!Sources/B/*.graphql""#,
      "Sources/B/Old.graphql.swift", false
    ),
    (
      #"{ "relative": {} }"#, #""Sources/**/*.graphql", "!Sources/A/Draft.graphql""#,
      "Sources/A/Old.graphql.swift", true
    ),
    (
      #"{ "relative": {} }"#, #""Sources/**/*.{graphql,gql}", "!Sources/B/**/*.gql""#,
      "Sources/B/Old.graphql.swift", false
    ),
    (
      #"{ "relative": {} }"#, #""Sources/**/*.g*ql", "!Sources/B/**/*.g*ql""#,
      "Sources/B/Old.graphql.swift", false
    ),
    (
      #"{ "relative": {} }"#, #""Sources/**/*.graphql", "!Sources/B""#,
      "Sources/B/Deep/Old.graphql.swift", false
    ),
    (
      #"{ "relative": {} }"#, #""Sources/**/*.graphql", "!Sources/A/Draft*.graphql""#,
      "Sources/A/Old.graphql.swift", true
    ),
    (
      #"{ "relative": {} }"#, #""Sources/**/*Q.graphql", "!Sources/A/?Q.graphql""#,
      "Sources/A/Old.graphql.swift", true
    ),
    // The configured folders are searched, whatever the search paths exclude.
    (
      #"{ "relative": {} }"#, #""Sources/**/*.graphql", "!Sources/API/**""#,
      "Sources/API/Schema/Old.graphql.swift", true
    ),
    (
      #"{ "inSchemaModule": {} }"#, #""Sources/**/*.graphql""#,
      "Sources/API/Operations/Old.graphql.swift", true
    ),
    (
      #"{ "inSchemaModule": {} }"#, #""Sources/**/*.graphql""#, "Sources/A/Old.graphql.swift", false
    ),
    (
      #"{ "absolute": { "path": "Sources/A/Models" } }"#, #""Sources/**/*.graphql""#,
      "Sources/A/Models/x/Old.graphql.swift", true
    ),
    (
      #"{ "absolute": { "path": "Sources/A/Models" } }"#, #""Sources/**/*.graphql""#,
      "Sources/A/Old.graphql.swift", false
    ),
  ])
  func removesLeftoversWhereFilesAreGenerated(
    _ operations: String, _ paths: String, _ leftover: String, _ isRemoved: Bool
  ) throws {
    try folder.write("query Q { a }", to: "Sources/A/Q.graphql")
    try folder.write(Self.ours, to: leftover)
    let foreign = leftover.replacing("Old", with: "Foreign")
    try folder.write("// by hand", to: foreign)
    let remainder = Path.parent(of: "/" + leftover).dropFirst() + "/.apollo-codegen-1-1.tmp"
    try folder.write("half", to: String(remainder))

    let report = try generate(operations: operations, searching: paths)
    #expect(folder.exists(leftover) == !isRemoved)
    #expect(folder.exists(String(remainder)) == !isRemoved)
    #expect(folder.exists(foreign))
    #expect(report.summary.removed == (isRemoved ? ["\(folder.path)/\(leftover)"] : []))
    #expect(try generate(operations: operations, searching: paths).summary.written == [])
  }

  @Test func removesLeftoversOfMocks() throws {
    try folder.write("query Q { a }", to: "Q.graphql")
    try folder.write(Self.ours, to: "Mocks/Old+Mock.graphql.swift")
    _ = try generate(
      operations: #"{ "inSchemaModule": {} }"#, searching: #""*.graphql""#,
      mocks: #"{ "absolute": { "path": "Mocks" } }"#)
    #expect(!folder.exists("Mocks/Old+Mock.graphql.swift"))
    #expect(folder.exists("Mocks/Query+Mock.graphql.swift"))
  }

  /// A target would compile the manifest, which needs a module of SwiftPM.
  @Test(arguments: [(ours, false), ("// swift-tools-version: 6.1\n", true)])
  func removesTheManifestOfAModuleThatIsNoPackageAnyMore(
    _ lastLine: String, _ remains: Bool
  ) throws {
    try folder.write("query Q { a }", to: "Q.graphql")
    try folder.write("// swift-tools-version: 6.1\n" + lastLine, to: "Sources/API/Package.swift")
    let report = try generate(
      operations: #"{ "inSchemaModule": {} }"#, searching: #""*.graphql""#)
    #expect(folder.exists("Sources/API/Package.swift") == remains)
    #expect(
      report.summary.removed == (remains ? [] : ["\(folder.path)/Sources/API/Package.swift"]))
  }

  @Test func removesFilesOfKilledRunsWithoutPruning() throws {
    try folder.write("query Q { a }", to: "Q.graphql")
    try folder.write("half", to: "Sources/API/old/.apollo-codegen-1-1.old")
    try folder.write(Self.ours, to: "Sources/API/Old.graphql.swift")
    _ = try generate(
      operations: #"{ "inSchemaModule": {} }"#, searching: #""*.graphql""#,
      options: #""pruneGeneratedFiles": false"#)
    #expect(!folder.exists("Sources/API/old/.apollo-codegen-1-1.old"))
    #expect(folder.exists("Sources/API/Old.graphql.swift"))
  }

  /// The code of a sibling, whose name the wildcards would match, stays.
  @Test(arguments: [#"{ "inSchemaModule": {} }"#, #"{ "relative": {} }"#])
  func acceptsAProjectWithWildcardsInItsName(_ operations: String) throws {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
          "operations": \(operations) } }
        """)
    for project in ["what?", "whatX"] {
      try folder.write("query Q { a }", to: "\(project)/Q.graphql")
      try folder.write("type Query { a: Int }", to: "\(project)/schema.graphqls")
      try folder.write(Self.ours, to: "\(project)/out/Old.graphql.swift")
    }
    let report = try Generator(configuration, rootFolder: folder.path + "/what?").generate()
    #expect(report.summary.removed == ["\(folder.path)/what?/out/Old.graphql.swift"])
    #expect(folder.exists("whatX/out/Old.graphql.swift"))
  }

  @Test func acceptsAFolderWithAnExclamationMark() throws {
    try folder.write("query Q { a }", to: "wow!/Q.graphql")
    try folder.write("type Query { a: Int }", to: "wow!/schema.graphqls")
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
          "operations": { "relative": {} } } }
        """)
    try folder.write(Self.ours, to: "wow!/Old.graphql.swift")
    let report = try Generator(configuration, rootFolder: folder.path + "/wow!").generate()
    #expect(report.summary.removed == ["\(folder.path)/wow!/Old.graphql.swift"])
  }
}

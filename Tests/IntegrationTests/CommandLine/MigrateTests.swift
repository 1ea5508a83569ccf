import Foundation
import Testing

/// `apollo-cli migrate`, on files in the form of those that Apollo iOS generates.
@Suite(.timeLimit(.minutes(10)))
struct MigrateTests {
  private static let header = """
    // @generated
    // This file was automatically generated and should not be edited.

    """

  private static let heroQuery = #"""
    @_exported import ApolloAPI

    public class HeroQuery: GraphQLQuery {
      public static let operationName: String = "Hero"
      public init() {}

      public struct Data: API.SelectionSet {
        public let __data: DataDict
        public static var __selections: [ApolloAPI.Selection] { [.field("hero", Hero?.self)] }
        public var hero: Hero? { __data["hero"] }

        /// A brace in a comment: {
        public struct Hero: API.SelectionSet {
          public let __data: DataDict
          public var name: String { __data["name"] }
          public var height: Int? { __data["height}"] }
          public var `class`: String { __data["class"] }
          public var friends: [Friend]? { __data[#"frie"nds"#] }
          public var born: API.Date? { __data["born"] }
          public typealias Parent = API.Hero

          public struct Friend: API.SelectionSet {
            public var name: String { __data["name"] }
          }

          public struct AsDroid: API.InlineFragment {
            public var name: String { __data["name"] }
          }
        }
      }
    }

    """#

  private static let date = """
    // @generated
    // This file was automatically generated and can be edited to
    // implement advanced custom scalar functionality.
    public typealias Date = String

    """

  /// A project with a query, whose code Apollo iOS might have generated.
  private static let files = [
    "apollo-codegen-config.json": """
    {
      "schemaNamespace": "API",
      "input": { "schemaSearchPaths": ["*.graphqls"], "operationSearchPaths": ["*.graphql"] },
      "output": { "schemaTypes": { "path": "./API", "moduleType": { "swiftPackageManager": {} } } }
    }
    """,
    "schema.graphqls": """
    type Query { hero: Hero }
    type Hero { name: String! height: Float friends: [Hero!] born: Date }
    scalar Date
    """,
    "Hero.graphql": "query Hero { hero { name height friends { name } born } }",
    "API/Package.swift": """
    // swift-tools-version:5.9

    import PackageDescription

    let package = Package(
      name: "API",
      dependencies: [.package(url: "https://github.com/apollographql/apollo-ios.git", from: "1.0.0")]
    )
    """,
    "API/Sources/Operations/Queries/HeroQuery.graphql.swift": header + heroQuery,
    "API/Sources/Operations/Queries/GoneQuery.graphql.swift": header,
    "API/Sources/Schema/CustomScalars/Date.swift": date,
    "API/Sources/Schema/SchemaConfiguration.swift": """
    // By hand.

    """,
  ]

  private static let list = """
    Replaced:
      API/Package.swift
      API/Sources/Operations/Queries/HeroQuery.graphql.swift
    Removed:
      API/Sources/Operations/Queries/GoneQuery.graphql.swift
    New:
      API/Sources/Schema/CustomScalars/ID.swift
      API/Sources/Schema/Objects/Hero.graphql.swift
      API/Sources/Schema/Objects/Query.graphql.swift
      API/Sources/Schema/SchemaMetadata.graphql.swift
    Yours, and kept:
      API/Sources/Schema/CustomScalars/Date.swift
    With this configuration:
      The package 'API' needs this runtime in place of apollo-ios. Both have a module 'ApolloAPI', so a project has one of them.
      Models are 'Hashable'. '"additionalConformances": ["Codable"]' in the options makes them 'Codable' too.
      Files of custom scalars stay, and 'ID' is a 'String' in models.
    Classes that become structs:
      HeroQuery
    Different for code that uses the models (5 of 8 properties are as before):
      HeroQuery.Data.Hero.AsDroid: there is no such type
      HeroQuery.Data.Hero.Parent: there is no such type
      HeroQuery.Data.Hero.class: there is no such property (String)
      HeroQuery.Data.Hero.height: Int? becomes Double?

    """

  @Test func listsWhatChangesAndAsks() async throws {
    try await withFiles(Self.files) { project in
      let before = try project.contents(of: ".")
      let outcome = try await project.apollo("migrate", input: "no\n")
      #expect(outcome.status == 1)
      #expect(outcome.output == Self.list + "Replace 3 files of Apollo iOS? [y/N] ")
      #expect(
        outcome.errors.hasSuffix(
          "error: Nothing was changed. 'apollo-cli migrate --yes' replaces the files.\n"))
      #expect(try project.contents(of: ".") == before)
    }
  }

  @Test(arguments: [(["migrate"], "y\n"), (["migrate", "--yes", "--quiet"], "")])
  func replacesTheFiles(_ arguments: [String], _ input: String) async throws {
    try await withFiles(Self.files) { project in
      let outcome = try await project.apollo(arguments, input: input)
      #expect(outcome.status == 0, "\(outcome)")
      let queries = try project.contents(of: "API/Sources/Operations/Queries")
      #expect(Array(queries.keys) == ["HeroQuery.graphql.swift"])
      let query = try project.text(of: "API/Sources/Operations/Queries/HeroQuery.graphql.swift")
      #expect(query.hasPrefix("// @generated by apollo-cli"))
      for kept in ["CustomScalars/Date.swift", "SchemaConfiguration.swift"] {
        let path = "API/Sources/Schema/\(kept)"
        #expect(try project.text(of: path) == Self.files[path])
      }
      let again = try await project.apollo("migrate")
      #expect(again.status == 0)
      #expect(
        again.output == "There are no files of Apollo iOS. Run 'apollo-cli generate'.\n")
      #expect(try await project.apollo("generate", "--check").status == 0)
    }
  }

  /// The runtime of a package can be in a folder, or in a copy of the repository.
  @Test(arguments: [
    (
      #"name: "apollo-ios", path: "../apollo-ios""#,
      #""sdkVersion": { "local": { "path": "../apollo-ios" } }"#, "../apollo-ios"
    ),
    (
      #"url: "https://example.org/apollo-ios.git", branch: "main""#,
      #""url": "https://example.org/apollo-ios.git", "sdkVersion": { "branch": "main" }"#,
      "https://example.org/apollo-ios.git"
    ),
  ])
  func replacesAManifestWithAnyRuntime(
    _ dependency: String, _ configured: String, _ location: String
  ) async throws {
    var files = Self.files
    files["apollo-codegen-config.json"] = files["apollo-codegen-config.json"]?
      .replacingOccurrences(
        of: #""swiftPackageManager": {}"#,
        with: #""swiftPackageManager": { "apolloSDKDependency": { \#(configured) } }"#)
    files["API/Package.swift"] = """
      // swift-tools-version:5.9

      import PackageDescription

      let package = Package(
        name: "API",
        products: [
          .library(name: "API", targets: ["API"]),
        ],
        dependencies: [
          .package(\(dependency)),
        ],
        targets: [
          .target(
            name: "API",
            dependencies: [
              .product(name: "ApolloAPI", package: "apollo-ios"),
            ],
            path: "./Sources"
          ),
        ]
      )

      """
    try await withFiles(files) { project in
      let outcome = try await project.apollo("migrate", "--yes")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        outcome.output.contains(
          "\n  'apolloSDKDependency' locates the runtime in '\(location)'. If that is Apollo iOS, "
            + "give the location of this one.\n"), "\(outcome)")
      let manifest = try project.text(of: "API/Package.swift")
      #expect(manifest.contains("// @generated by apollo-cli"), "\(manifest)")
      // The new manifest can need a package of the same name.
      #expect(
        try await project.apollo("migrate").output
          == "There are no files of Apollo iOS. Run 'apollo-cli generate'.\n")
    }
  }

  @Test func leavesFilesOfOthersAlone() async throws {
    try await withFiles(Self.files) { project in
      let path = "API/Sources/Operations/Queries/HeroQuery.graphql.swift"
      try project.write("// By hand.\n", to: path)
      let outcome = try await project.apollo("migrate", "--yes")
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("\(path)' was not written by apollo-cli"), "\(outcome)")
      #expect(try project.text(of: path) == "// By hand.\n")
    }
  }

  @Test func isRecommendedByGenerate() async throws {
    try await withFiles(Self.files) { project in
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("'apollo-cli migrate' replaces its files"), "\(outcome)")
    }
  }

  // MARK: - 0.x

  private static let former = """
    // @generated
    //  This file was automatically generated and should not be edited.

    import Apollo
    import Foundation

    public final class HeroQuery: GraphQLQuery {
      /// The raw GraphQL definition of this operation.
      public let operationDefinition: String =
        \"\"\"
        query Hero { hero { __typename name height } }
        \"\"\"
      public var variables: GraphQLMap? { return [:] }

      public struct Data: GraphQLSelectionSet {
        public static let possibleTypes: [String] = ["Query"]
        public private(set) var resultMap: ResultMap
        public var hero: Hero? {
          get { return (resultMap["hero"] as? ResultMap).flatMap { Hero(unsafeResultMap: $0) } }
          set { resultMap.updateValue(newValue?.resultMap, forKey: "hero") }
        }

        public struct Hero: GraphQLSelectionSet {
          public private(set) var resultMap: ResultMap
          public var name: String {
            get { return resultMap["name"]! as! String }
            set { resultMap.updateValue(newValue, forKey: "name") }
          }
          public var height: String? {
            get { return resultMap["height"] as? String }
            set { resultMap.updateValue(newValue, forKey: "height") }
          }
        }
      }
    }

    """

  private static let formerProject = [
    "schema.graphqls": files["schema.graphqls"]!,
    "Hero.graphql": files["Hero.graphql"]!,
    "App/API.swift": former,
    "App/Hero.swift": "import Apollo\n",
    "Pods/Other/API.swift": former,
  ]

  @Test func detectsVersion0WithoutAConfiguration() async throws {
    try await withFiles(Self.formerProject) { project in
      let outcome = try await project.apollo("migrate")
      #expect(outcome.status == 2, "\(outcome)")
      #expect(
        outcome.output == """
          Apollo iOS 0.x generated:
            App/API.swift
          It had no configuration. After you have written one, 'apollo-cli migrate' compares the models.

          """)
      #expect(outcome.errors.contains("Create one with 'apollo-cli init'"), "\(outcome)")
    }
  }

  @Test func comparesTheModelsOfVersion0() async throws {
    var files = Self.formerProject
    files["apollo-codegen-config.json"] = """
      {
        "schemaNamespace": "API",
        "input": { "schemaSearchPaths": ["*.graphqls"], "operationSearchPaths": ["*.graphql"] },
        "output": {
          "schemaTypes": { "path": "./Generated", "moduleType": { "embeddedInTarget": { "name": "App" } } },
          "operations": { "inSchemaModule": {} }
        }
      }
      """
    try await withFiles(files) { project in
      let outcome = try await project.apollo("migrate")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.contains("for you to remove:\n  App/API.swift\n"), "\(outcome)")
      #expect(outcome.output.contains("Classes that become structs:\n  HeroQuery\n"), "\(outcome)")
      #expect(
        outcome.output.contains(
          """
          (2 of 3 properties are as before):
            HeroQuery.Data.Hero.height: String? becomes Double?

          """), "\(outcome)")
      #expect(try project.text(of: "App/API.swift") == Self.former)
      #expect(try await project.apollo("generate").status == 0)
    }
  }
}

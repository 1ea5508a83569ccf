import Foundation
import Testing

/// Every kind of module for the schema, with every place for the operations and every place for
/// mocks: each is generated, and compiled the way its users build it, without a warning.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PlacementTests {
  /// The container of the schema's types.
  enum Schema: String, CaseIterable {
    case internalInTarget, publicInTarget, inTargetOfSameName, package, other

    var isEmbedded: Bool { self != .package && self != .other }
    var path: String {
      isEmbedded ? "\(module.sources)/API" : self == .package ? "API" : "Sources/StarAPI"
    }
    /// The module, and the folder of its sources.
    var module: (name: String, sources: String) {
      switch self {
      case .internalInTarget, .publicInTarget: ("App", "Sources/App")
      case .package: ("StarAPI", "API/Sources")
      case .inTargetOfSameName, .other: ("StarAPI", "Sources/StarAPI")
      }
    }

    var json: String {
      switch self {
      case .internalInTarget: #"{ "embeddedInTarget": { "name": "App" } }"#
      case .publicInTarget:
        #"{ "embeddedInTarget": { "name": "App", "accessModifier": "public" } }"#
      case .inTargetOfSameName:
        #"{ "embeddedInTarget": { "name": "StarAPI", "accessModifier": "public" } }"#
      case .package:
        #"{ "swiftPackageManager": { "apolloSDKDependency": { "sdkVersion": { "local": { "path": "../.." } } } } }"#
      case .other: #"{ "other": {} }"#
      }
    }
  }

  /// The place of the operations.
  enum Operations: String, CaseIterable {
    case inSchemaModule, relative, relativeInternal, absolute, absoluteInternal

    func json(in home: String) -> String {
      switch self {
      case .inSchemaModule: #"{ "inSchemaModule": {} }"#
      case .relative: #"{ "relative": {} }"#
      case .relativeInternal:
        #"{ "relative": { "subpath": "Generated", "accessModifier": "internal" } }"#
      case .absolute: #"{ "absolute": { "path": "\#(home)/Models" } }"#
      case .absoluteInternal:
        #"{ "absolute": { "path": "\#(home)/Models", "accessModifier": "internal" } }"#
      }
    }
  }

  /// The place of the mocks.
  enum Mocks: String, CaseIterable {
    case none, absolute, absoluteInternal, inPackage

    var json: String {
      switch self {
      case .none: #"{ "none": {} }"#
      case .absolute: #"{ "absolute": { "path": "Mocks" } }"#
      case .absoluteInternal: #"{ "absolute": { "path": "Mocks", "accessModifier": "internal" } }"#
      case .inPackage: #"{ "swiftPackage": { "targetName": "StarMocks" } }"#
      }
    }
    var path: String { self == .inPackage ? "API/StarMocks" : "Mocks" }
  }

  /// The module of the operations: the schema's own, or one that imports it.
  enum Home: String { case schemaModule, otherModule }

  struct Row: CustomTestStringConvertible {
    var schema: Schema
    var operations: Operations
    var home: Home

    var testDescription: String { "\(schema.rawValue), \(operations.rawValue), \(home.rawValue)" }

    /// The folder of the operations, and of the module whose code uses them.
    var folder: String { home == .schemaModule ? schema.module.sources : "Sources/Feature" }
    /// The prefix of an operation's name.
    var prefix: String { schema.isEmbedded && operations == .inSchemaModule ? "StarAPI." : "" }

    func configuration(_ mocks: Mocks) -> String {
      """
      {
        "schemaNamespace": "StarAPI",
        "input": {
          "schemaSearchPaths": ["GraphQL/*.graphqls"],
          "operationSearchPaths": ["Sources/**/*.graphql"]
        },
        "output": {
          "schemaTypes": { "path": "\(schema.path)", "moduleType": \(schema.json) },
          "operations": \(operations.json(in: folder)),
          "testMocks": \(mocks.json)
        }
      }
      """
    }
  }

  static let rows: [Row] = Schema.allCases.flatMap { schema in
    Operations.allCases.flatMap { operations -> [Row] in
      // What only its own module sees is used there. What a module is made of alone has no sources
      // of its user's.
      let homes: [Home] =
        switch schema {
        case .internalInTarget: [.schemaModule]
        case .publicInTarget, .inTargetOfSameName: [.schemaModule, .otherModule]
        case .package, .other: [.otherModule]
        }
      return homes.map { Row(schema: schema, operations: operations, home: $0) }
    }
  }

  // MARK: - The project

  private static let schema = """
    type Query { hero(episode: Episode = JEDI, filter: Filter): Character, today: Date }
    interface Character { id: ID!, name: String!, friends: [Character!] }
    type Human implements Character { id: ID!, name: String!, friends: [Character!], born: Date, film: Episode }
    type Droid implements Character { id: ID!, name: String!, friends: [Character!] }
    enum Episode { EMPIRE JEDI }
    input Filter { name: String, episode: Episode = EMPIRE, or: [Filter!] }
    scalar Date
    """
  private static let operations = """
    query Hero($episode: Episode = EMPIRE, $filter: Filter = { name: "Luke", episode: JEDI }) {
      hero(episode: $episode, filter: $filter) { ...Details ... on Human { born film friends { id ...Details } } }
      today
    }
    fragment Details on Character { id name friends { name } }
    query Edited @apollo_client_ios_localCacheMutation { hero { name } }
    """

  private func write(_ row: Row, to project: Project) throws {
    for folder in ["GraphQL", "\(row.folder)/GraphQL"] {
      try FileManager.default.createDirectory(
        at: project.folder.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    try project.write(Self.schema, to: "GraphQL/schema.graphqls")
    try project.write(Self.operations, to: "\(row.folder)/GraphQL/Hero.graphql")
    let imports = row.home == .otherModule ? "import \(row.schema.module.name)" : ""
    // Types of the same names as those of the schema, which the generated code must not mean.
    let own = row.home == .otherModule ? "enum Episode {}\nstruct Date {}\nstruct Filter {}" : ""
    try project.write(
      """
      import ApolloAPI
      \(imports)
      \(own)

      func names(_ response: [UInt8]) throws -> [String] {
        let query = \(row.prefix)HeroQuery(
          episode: .empire, filter: .some(StarAPI.Filter(name: "Luke", episode: .jedi)))
        let data = try ResponseDecoder().decode(response, as: query).data
        let details: \(row.prefix)Details? = data?.hero?.fragments.details
        let day: StarAPI.Date? = data?.hero?.asHuman?.born ?? data?.today
        let film: GraphQLEnum<StarAPI.Episode>? = data?.hero?.asHuman?.film
        var edited = \(row.prefix)EditedLocalCacheMutation.Data(
          hero: .init(__typename: "Droid", name: details?.name ?? ""))
        edited.hero?.name = film?.rawValue ?? ""
        return [edited.hero?.name, details?.name, day].compactMap { $0 }
      }
      """, to: "\(row.folder)/Use.swift")
  }

  // MARK: - Tests

  @Test(arguments: rows)
  func compiles(_ row: Row) async throws {
    try await withTemporaryFolder { folder in
      let project = Project(folder: folder)
      try write(row, to: project)
      var code: [String: FileState]?
      for mocks in Mocks.allCases where mocks != .inPackage || row.schema == .package {
        try project.write(row.configuration(mocks), to: "apollo-codegen-config.json")
        let outcome = try await project.apollo("generate")
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Mocks change no other file, so that these are compiled once. And they do not depend on
        // where operations go.
        let present = try project.contents(of: "").filter {
          $0.key.hasSuffix(".swift")
            && ($0.key.hasPrefix("Sources/") || $0.key.hasPrefix("API/Sources/"))
        }
        #expect(present.keys.sorted() == (code ?? present).keys.sorted(), "\(mocks)")
        #expect(present == code ?? present, "\(mocks) changed other files.")
        if code == nil { try await expectModulesAreValid(row, project) }
        code = present
        if row.operations == .inSchemaModule, row.home == Self.homeOfMocks(row.schema),
          mocks != .none
        {
          try await expectMocksAreValid(mocks, row, project)
        }
      }
    }
  }

  private static func homeOfMocks(_ schema: Schema) -> Home {
    schema.isEmbedded ? .schemaModule : .otherModule
  }

  private static let features = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
  ]

  private func expectModulesAreValid(_ row: Row, _ project: Project) async throws {
    let (module, sources) = row.schema.module
    let folder = project.folder
    // For mocks, which see what is internal.
    try await SwiftCompiler().emitModule(
      module, from: folder.appendingPathComponent(sources), to: folder,
      options: ["-enable-testing"])
    let user = row.home == .schemaModule ? (module, sources) : ("Feature", "Sources/Feature")
    // Imports mean less with the upcoming features. Without them, one place of the operations is
    // like the others.
    let isCheckedWithout = row.home == .otherModule && row.operations == .inSchemaModule
    for features in isCheckedWithout ? [[], Self.features] : [Self.features] {
      try await SwiftCompiler(importing: [folder], features: features)
        .expectValid(user.0, in: folder.appendingPathComponent(user.1))
    }
  }

  private func expectMocksAreValid(_ mocks: Mocks, _ row: Row, _ project: Project) async throws {
    let folder = project.folder
    let isInternal = mocks == .absoluteInternal || row.schema == .internalInTarget
    let use = """
      import ApolloTestSupport
      \(isInternal ? "@testable import \(row.schema.module.name)" : "import \(row.schema.module.name)\nimport StarMocks")

      func hero() -> \(row.prefix)HeroQuery.Data {
        let human = Mock<Human>(born: "1977", friends: [Mock<Droid>(name: "R2-D2")], name: "Luke")
        return .from(Mock<Query>(hero: human))
      }
      """
    let generated = folder.appendingPathComponent(mocks.path)
    if isInternal {
      let file = generated.appendingPathComponent("Use.swift")
      try Data(use.utf8).write(to: file)
      try await SwiftCompiler(importing: [folder], features: Self.features)
        .expectValid("StarMocks", in: generated)
      try FileManager.default.removeItem(at: file)
    } else {
      // An import that is too narrow is an error only with the upcoming features, and one that is
      // too wide a warning.
      try await SwiftCompiler(importing: [folder], features: Self.features).emitModule(
        "StarMocks", from: generated, to: folder)
      let tests = folder.appendingPathComponent("Tests")
      try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
      try Data(use.utf8).write(to: tests.appendingPathComponent("Use.swift"))
      try await SwiftCompiler(importing: [folder]).expectValid("AppTests", in: tests)
    }
  }

  // MARK: - Modules of fragments

  /// The models of `Hero` show `Named`, whose module only `Card` imports. Those of `Friends` show
  /// `Summary` alone, so that a public import of the module would be a warning.
  @Test func fragmentsOfFragmentsAreInAThirdModule() async throws {
    let files = [
      "GraphQL/schema.graphqls": Self.schema,
      "Sources/Names/Named.graphql": "fragment Named on Character { id name friends { id } }",
      "Sources/Cards/Card.graphql":
        #"fragment Card on Character @import(module: "Names") { id ...Named }"#,
      "Sources/Feature/Hero.graphql": #"query Hero @import(module: "Cards") { hero { ...Card } }"#,
      "Sources/Feature/Friends.graphql": """
      query Friends { hero { ...Friendly } }
      fragment Friendly on Character @import(module: "Names") { friends { ...Named } ...Summary }
      fragment Summary on Character { name }
      """,
      "apollo-codegen-config.json": """
      {
        "schemaNamespace": "StarAPI",
        "output": {
          "schemaTypes": { "path": "StarAPI", "moduleType": { "other": {} } },
          "operations": { "relative": {} }
        }
      }
      """,
    ]
    try await withFiles(files) { project in
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 0, "\(outcome.errors)")
      for sources in ["StarAPI", "Sources/Names", "Sources/Cards", "Sources/Feature"] {
        let folder = project.folder.appendingPathComponent(sources)
        for features in [[], Self.features] {
          try await SwiftCompiler(importing: [project.folder], features: features)
            .emitModule(folder.lastPathComponent, from: folder, to: project.folder)
        }
      }
    }
  }

  // MARK: - Packages

  /// SwiftPM itself reads the generated manifest.
  @Test(arguments: [
    (#""sdkVersion": { "local": { "path": "../../checkout" } }"#, "checkout"),
    (
      #""url": "https://example.org/apollo-swift.git", "sdkVersion": { "branch": "main" }"#,
      "branch"
    ),
    (#""url": "https://example.org/apollo-swift", "sdkVersion": { "from": "1.0.0" }"#, "range"),
    (#""url": "https://example.org/apollo-swift/", "sdkVersion": "default""#, "exact"),
    (
      #""url": "git@example.org:a/apollo-swift.git", "sdkVersion": { "commit": "0123456789012345678901234567890123456789" }"#,
      "revision"
    ),
  ])
  func theManifestOfAPackageIsOne(_ dependency: String, _ part: String) async throws {
    try await withTemporaryFolder { folder in
      let project = Project(folder: folder)
      let row = Row(schema: .package, operations: .inSchemaModule, home: .otherModule)
      try write(row, to: project)
      try project.write(
        row.configuration(.inPackage).replacingOccurrences(
          of: #""sdkVersion": { "local": { "path": "../.." } }"#, with: dependency),
        to: "apollo-codegen-config.json")
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let manifest = try await run(
        URL(fileURLWithPath: "/usr/bin/env"), ["swift", "package", "dump-package"],
        in: folder.appendingPathComponent("API"), withinSeconds: 600)
      #expect(manifest.status == 0, "\(manifest.errors)")
      for name in ["\"StarAPI\"", "\"StarMocks\"", "apollo-swift", "ApolloTestSupport", part] {
        #expect(manifest.output.contains(name), "\(name) is not in \(manifest.output)")
      }
    }
  }
}

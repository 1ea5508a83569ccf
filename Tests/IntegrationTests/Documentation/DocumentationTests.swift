import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// The pages of the documentation say what is true: their code compiles, their configurations are
/// read, their commands exist, and nothing that users can set is left out.
@Suite(.timeLimit(.minutes(10)))
struct DocumentationTests {
  /// The types that pages use besides the schema of the example.
  private static let furtherTypes = """
    extend type Mutation {
      singleUpload(file: Upload!): File!
      multipleUpload(files: [Upload!]!): [File!]!
      addProduct(name: String!): Product!
    }
    type File { id: ID!, name: String! }
    extend type Query {
      products(first: Int, after: String, last: Int, before: String): ProductConnection!
      productPage(offset: Int!, limit: Int!): [Product!]!
      crew: [CrewMember]!
      viewer: Viewer
      shops: [Shop!]!
    }
    type Viewer { cart: Cart! }
    type Cart { products(first: Int, after: String): ProductConnection! }
    type Shop { id: ID!, products(first: Int, after: String): ProductConnection! }
    type ProductConnection { edges: [ProductEdge!]!, pageInfo: PageInfo! }
    type ProductEdge { node: Product! }
    type Product { id: ID!, name: String! }
    type CrewMember { name: String }
    type PageInfo {
      hasNextPage: Boolean!, endCursor: String, hasPreviousPage: Boolean!, startCursor: String
    }
    scalar Upload
    """

  private static let configuration = """
    {
      "schemaNamespace": "MyAPI",
      "output": {
        "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
        "testMocks": { "absolute": { "path": "mocks" } }
      },
      "options": { "selectionSetInitializers": { "operations": true, "namedFragments": true } },
      "experimentalFeatures": { "fragmentArguments": true }
    }
    """

  /// The declarations of swift-distributed-tracing that pages use.
  private static let tracing = """
    public struct ServiceContext: Sendable {
      public static var topLevel: ServiceContext { ServiceContext() }
      public static var current: ServiceContext? { nil }
    }
    public enum SpanKind: Sendable { case client }
    public protocol SpanAttributeConvertible: Sendable {}
    extension String: SpanAttributeConvertible {}
    extension Int: SpanAttributeConvertible {}
    public struct SpanAttributes: Sendable {
      public subscript(_ name: String) -> (any SpanAttributeConvertible)? {
        get { nil }
        set {}
      }
    }
    public struct SpanEvent: Sendable {
      public init(name: String) {}
    }
    public protocol Span: Sendable {
      var context: ServiceContext { get }
      var attributes: SpanAttributes { get nonmutating set }
      func addEvent(_ event: SpanEvent)
      func recordError(_ error: any Error)
      func end()
    }
    public protocol Injector: Sendable {
      associatedtype Carrier
      func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
    }
    public protocol Instrument: Sendable {
      func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
      ) where Inject.Carrier == Carrier
    }
    public enum InstrumentationSystem {
      public static var instrument: any Instrument { fatalError() }
    }
    public func startSpan(
      _ operationName: String, context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
      ofKind kind: SpanKind
    ) -> any Span { fatalError() }
    """

  // MARK: - Code

  /// Every block of GraphQL is valid, and every block of Swift compiles against the code that is
  /// generated for them.
  @Test func everyBlockOfCodeCompiles() async throws {
    let pages = try DocumentationPage.all()
    try await withTemporaryFolder { folder in
      let schema = try String(
        contentsOf: Repository.example.appendingPathComponent("GraphQL/schema.graphqls"),
        encoding: .utf8)
      let code = try await generate(
        "MyAPI", schema: schema + Self.furtherTypes, operations: operations(of: pages),
        configuration: Self.configuration, in: folder)
      let modules = folder.appendingPathComponent("modules")
      let files = folder.appendingPathComponent("pages")
      for folder in [modules, files] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      }
      let compiler = try SwiftCompiler(importing: [modules], treatsWarningsAsErrors: false)
      // A module of the project that pages name.
      let shared = Project(folder: folder.appendingPathComponent("SharedFragments"))
      try FileManager.default.createDirectory(
        at: shared.folder, withIntermediateDirectories: false)
      try shared.write("", to: "Empty.swift")
      try await compiler.emitModule("SharedFragments", from: shared.folder, to: modules)
      // A package of others that a page uses; the test has no network.
      let tracing = Project(folder: folder.appendingPathComponent("Tracing"))
      try FileManager.default.createDirectory(
        at: tracing.folder, withIntermediateDirectories: false)
      try tracing.write(Self.tracing, to: "Tracing.swift")
      try await compiler.emitModule("Tracing", from: tracing.folder, to: modules)
      try await compiler.emitModule("MyAPI", from: code, to: modules)
      let mocks = code.deletingLastPathComponent().appendingPathComponent("mocks")
      try await compiler.emitModule("MyAPITestMocks", from: mocks, to: modules)
      for page in pages {
        try page.swiftFile?.write(
          to: files.appendingPathComponent("\(page.name).swift"), atomically: true, encoding: .utf8)
      }
      try await compiler.expectValid("Documentation", in: files)
    }
  }

  /// The operations and fragments of all pages. Pages can repeat each other.
  private func operations(of pages: [DocumentationPage]) -> String {
    var definitions: [String] = []
    for page in pages {
      for block in page.blocks(in: "graphql") {
        let (document, diagnostics) = Document.parsing(
          block.text, name: page.file.path, options: .drafts)
        #expect(diagnostics.isEmpty, "\(page.file.path):\(block.line): \(diagnostics)")
        let isExecutable = document.definitions.allSatisfy {
          switch $0 {
          case .operation, .fragment: true
          case .schema, .type, .directive: false
          }
        }
        if isExecutable, !definitions.contains(block.text) { definitions.append(block.text) }
      }
    }
    return definitions.joined(separator: "\n")
  }

  // MARK: - Configurations

  /// A block of JSON is a configuration, or members of one.
  @Test func everyConfigurationIsRead() throws {
    for page in try DocumentationPage.all() {
      for block in page.blocks(in: "json") {
        #expect(throws: Never.self, "\(page.file.path):\(block.line)") {
          let whole = block.text.hasPrefix("{") ? block.text : Self.completed(block.text)
          let configuration = try ApolloCodegenConfiguration(json: whole)
          #expect(configuration.problems.isEmpty, "\(page.file.path):\(block.line)")
        }
      }
    }
  }

  private static func completed(_ members: String) -> String {
    var members = members
    if !members.contains("\"schemaNamespace\"") { members += ", \"schemaNamespace\": \"MyAPI\"" }
    if !members.contains("\"output\"") {
      members +=
        #", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } }"#
    }
    return "{ \(members) }"
  }

  @Test func everyKeyOfTheConfigurationIsDescribed() throws {
    let page = try DocumentationPage.named("CodeGenerationConfiguration")
    for key in ApolloCodegenConfiguration.keys {
      #expect(page.text.contains("`\(key)`"), "The page says nothing about '\(key)'.")
    }
  }

  // MARK: - Errors

  @Test func everyErrorCodeIsDescribed() throws {
    let page = try DocumentationPage.named("HandlingErrors")
    for module in ["Apollo", "ApolloCache", "ApolloRedis", "ApolloTransport", "ApolloWebSocket"] {
      let folder = Repository.root.appendingPathComponent("Sources/\(module)")
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      for path in paths where path.hasSuffix("Error.swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        for match in text.matches(of: /static let (\w+) = (?:Code|Kind)\(description/) {
          let code = "`.\(match.1)`"
          #expect(page.text.contains(code), "The page says nothing about \(code) of \(path).")
        }
      }
    }
  }

  // MARK: - Commands

  @Test func everyCommandAndOptionIsDescribed() async throws {
    let page = try DocumentationPage.named("CommandLine")
    for command in try await commands() {
      let heading = command.contains(" ") ? "### \(command)\n" : "\n## \(command)\n"
      #expect(page.text.contains(heading), "The page has no section on '\(command)'.")
      for option in try await options(of: command) {
        #expect(page.text.contains("`\(option)"), "\(command): nothing is said about '\(option)'.")
      }
    }
  }

  @Test func theTableOfProductsNamesEveryCommand() async throws {
    let readme = try String(
      contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
    let row = try #require(
      readme.split(separator: "\n").first { $0.hasPrefix("| `apollo-cli` |") })
    for command in try await commands() where !command.contains(" ") {
      #expect(row.contains("`\(command)`"), "The row lacks '\(command)'.")
    }
  }

  @Test func everyCommandAndOptionOfThePagesExists() async throws {
    let known = try await commands()
    for page in try DocumentationPage.all() {
      for block in page.blocks(in: "sh") {
        for words in block.lines.compactMap(Self.arguments) {
          let place = "\(page.file.path):\(block.line)"
          let name = try #require(words.first, "\(place): there is no command.")
          guard !name.hasPrefix("-"), name != "help" else { continue }
          #expect(known.contains(name), "\(place): '\(name)' is not a command.")
          let subcommand = words.prefix(2).joined(separator: " ")
          let command = known.contains(subcommand) ? subcommand : name
          let options = try await options(of: command)
          for word in words.dropFirst() where word.hasPrefix("-") {
            let option = String(word.prefix { $0 != "=" })
            #expect(options.contains(option), "\(place): '\(command)' has no option '\(option)'.")
          }
        }
      }
    }
  }

  /// The words behind `apollo-cli`, or `swift package apollo`, in a line of a shell.
  private static func arguments(of line: Substring) -> [String]? {
    let words = line.split(separator: " ").prefix { !["|", "#", ">", "&&"].contains($0) }
      .map(String.init)
    if let index = words.firstIndex(of: "apollo-cli") { return Array(words[(index + 1)...]) }
    guard words.starts(with: ["swift", "package"]), let index = words.firstIndex(of: "apollo")
    else { return nil }
    return Array(words[(index + 1)...])
  }

  /// The commands, each followed by its subcommands with the name of the command in front.
  private func commands() async throws -> [String] {
    var commands: [String] = []
    for command in Self.names(in: try await help(), under: "COMMANDS:") {
      commands.append(command)
      commands += Self.names(in: try await help(command, "--help"), under: "SUBCOMMANDS:")
        .map { "\(command) \($0)" }
    }
    return commands
  }

  /// The first column of a table in the help. Lines that only continue another are indented.
  private static func names(in help: [Substring], under heading: String) -> [String] {
    help.drop { $0 != heading }.dropFirst().prefix { !$0.isEmpty }
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// The options of a command with their dashes, short forms included.
  private func options(of command: String) async throws -> [String] {
    try await help(command.split(separator: " ").map(String.init) + ["--help"])
      .drop { $0 != "OPTIONS:" }.dropFirst().prefix { !$0.isEmpty }
      .filter { $0.hasPrefix("  -") || $0.hasPrefix("      --") }
      .flatMap { $0.split(separator: " ").prefix { $0.hasPrefix("-") } }
      .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
  }

  private func help(_ arguments: String...) async throws -> [Substring] {
    try await help(arguments)
  }

  private func help(_ arguments: [String]) async throws -> [Substring] {
    let outcome = try await run(
      Repository.commandLineTool(), arguments.isEmpty ? ["--help"] : arguments, in: Repository.root)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

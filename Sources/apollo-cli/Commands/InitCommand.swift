import ApolloCodegenLib
import GraphQLSyntax

/// The command `apollo-cli init`: writes an initial configuration.
enum InitCommand: Command {
  static let name = "init"
  static let summary = "Writes a configuration file with the defaults."
  static let options = [
    OptionDeclaration(
      "schema-namespace", "n", value: "NAME", aliases: ["schema-name"],
      "The name of the generated schema module or namespace."),
    OptionDeclaration(
      "module-type", "m", value: "TYPE", of: .oneOf(["embeddedInTarget", "swiftPackage", "other"]),
      "The kind of module of the schema types."),
    OptionDeclaration(
      "target-name", "t", value: "NAME", "The target that embeddedInTarget puts them in."),
    OptionDeclaration(
      "sdk", value: "URL|FOLDER", of: .folder,
      "The URL or folder of the runtime for swiftPackage; a folder is relative to the package."),
    OptionDeclaration(
      "endpoint", "e", value: "URL",
      "The GraphQL server whose schema 'fetch-schema' writes to \(schemaPath)."),
    OptionDeclaration(
      "path", "p", value: "FILE", of: .file, default: ConfigurationFile.defaultPath,
      "The file to write."),
    OptionDeclaration("overwrite", "w", "Replace a file that exists."),
    OptionDeclaration("print", "s", "Print the configuration instead of writing it."),
  ]

  static let examples = [
    CommandExample(
      "Generate into a target of its own, from the schema of a server.",
      "init -n MyAPI -m other --endpoint http://localhost:8000/graphql"),
    CommandExample(
      "Generate into an existing target.", "init -n MyAPI -m embeddedInTarget --target-name App"),
  ]

  /// The path to which `fetch-schema` writes the schema. `schemaSearchPaths` matches it.
  private static let schemaPath = "GraphQL/schema.graphqls"

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let text = try configurationText(arguments)
    // `generate` must accept the result.
    let configuration = try ApolloCodegenConfiguration(json: text)
    if let problem = configuration.problems.first { throw CommandFailure(problem.message) }
    if arguments.has("print") {
      Terminal.print(text)
      return .success
    }
    let path = path(arguments)
    if Environment.fileSystem.kind(of: path) != nil, !arguments.has("overwrite") {
      throw CommandFailure("'\(path)' exists. Use --overwrite to replace it.")
    }
    try Environment.fileSystem.save(path, Array((text + "\n").utf8))
    let shared = try writeSharedConfiguration(configuration, beside: path)
    let firstFiles = FirstFiles(
      configuration, root: Path.parent(of: path), Environment.fileSystem)
    for file in [path] + shared + (try firstFiles.write()) {
      Terminal.status("Wrote '\(Path.display(file, from: Environment.currentDirectory))'.")
    }
    let steps = NextSteps(
      module: firstFiles, configuration: path, schemaPath: schemaPath,
      canDownload: arguments.has("endpoint"))
    Terminal.status(steps.text)
    return .success
  }

  /// Writes the search paths for other GraphQL tools, which read `.graphqlrc.yml`, unless there is
  /// such a file.
  ///
  /// - Returns: The path of the file, if it was written.
  private static func writeSharedConfiguration(
    _ configuration: ApolloCodegenConfiguration, beside path: String
  ) throws -> [String] {
    let file = Path.join(Path.parent(of: path), ".graphqlrc.yml")
    guard Environment.fileSystem.kind(of: file) == nil else { return [] }
    // JSON strings are YAML.
    func list(_ key: String, _ patterns: [String]) -> String {
      "\(key):\n" + patterns.map { "  - \(JSONLiteral.string($0))\n" }.joined()
    }
    let text =
      list("schema", configuration.input.schemaSearchPaths)
      + list("documents", configuration.input.operationSearchPaths)
    try Environment.fileSystem.replace(file, Array(text.utf8))
    return [file]
  }

  private static func configurationText(_ arguments: ParsedArguments) throws -> String {
    guard let namespace = arguments.value("schema-namespace") else {
      throw CommandFailure("Give the namespace: --schema-namespace NAME")
    }
    return """
      {
        "schemaNamespace": \(JSONLiteral.string(namespace)),\(try download(arguments))
        "input": {
          "schemaSearchPaths": ["**/*.graphqls"],
          "operationSearchPaths": ["**/*.graphql"]
        },
        "output": {
          "schemaTypes": {
            "path": \(JSONLiteral.string(modulePath(namespace, arguments))),
            "moduleType": { \(try moduleType(arguments)) }
          },
          "operations": { "inSchemaModule": {} },
          "testMocks": { "none": {} }
        }
      }
      """
  }

  /// Returns the folder of the generated code: where SwiftPM looks for the sources of a target of
  /// that name, if the configuration is for a Swift package.
  private static func modulePath(_ namespace: String, _ arguments: ParsedArguments) -> String {
    let folder = Path.parent(of: path(arguments))
    let isInPackage =
      Environment.fileSystem.kind(of: "\(folder)/Package.swift", followingLinks: true) == .file
    switch arguments.value("module-type") {
    case "other"? where isInPackage: return "./Sources/\(namespace)"
    case "embeddedInTarget"?:
      let target = "Sources/\(arguments.value("target-name") ?? "")"
      let exists =
        Environment.fileSystem.kind(of: "\(folder)/\(target)", followingLinks: true) == .directory
      return isInPackage && exists ? "./\(target)/\(namespace)" : "./\(namespace)"
    default: return "./\(namespace)"
    }
  }

  /// Returns the absolute path of the configuration.
  private static func path(_ arguments: ParsedArguments) -> String {
    Path.join(
      Environment.currentDirectory, arguments.value("path") ?? ConfigurationFile.defaultPath)
  }

  private static func moduleType(_ arguments: ParsedArguments) throws -> String {
    switch arguments.value("module-type") {
    case "embeddedInTarget"?:
      guard let target = arguments.value("target-name"), !target.allSatisfy(\.isWhitespace) else {
        throw CommandFailure("embeddedInTarget needs the name of the target: --target-name NAME")
      }
      return "\"embeddedInTarget\": { \"name\": \(JSONLiteral.string(target)) }"
    case "swiftPackage"?, "swiftPackageManager"?:
      let sdk =
        arguments.value("sdk") ?? ApolloCodegenConfiguration.SDKDependency.defaultFolder
      return "\"swiftPackage\": { \"apolloSDKDependency\": { \(dependency(sdk)) } }"
    case "other"?: return "\"other\": {}"
    case let other:
      throw CommandFailure(
        (other.map { "'\($0)' is not a module type." } ?? "Give the module type.")
          + " Use --module-type embeddedInTarget, swiftPackage or other.")
    }
  }

  /// Returns the dependency on the runtime. A text with a scheme, or in the form `git@host:path`,
  /// is a URL; any other is a folder.
  private static func dependency(_ sdk: String) -> String {
    let isURL = sdk.contains("://") || sdk.hasPrefix("git@")
    return isURL
      ? "\"url\": \(JSONLiteral.string(sdk))"
      : "\"sdkVersion\": { \"local\": { \"path\": \(JSONLiteral.string(sdk)) } }"
  }

  /// Returns a line break and the member `schemaDownload` if a server is given.
  private static func download(_ arguments: ParsedArguments) throws -> String {
    guard let endpoint = arguments.value("endpoint") else { return "" }
    guard SchemaHTTP.isAddress(endpoint) else {
      throw CommandFailure("--endpoint needs an address that starts with http:// or https://.")
    }
    return """

        "schemaDownload": {
          "downloadMethod": {
            "introspection": {
              "endpointURL": \(JSONLiteral.string(endpoint)),
              "httpMethod": { "POST": {} },
              "outputFormat": "SDL"
            }
          },
          "outputPath": \(JSONLiteral.string(schemaPath))
        },
      """
  }
}

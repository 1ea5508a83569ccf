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
      "module-type", "m", value: "TYPE",
      "How the schema types are packaged: embeddedInTarget, swiftPackage or other."),
    OptionDeclaration(
      "target-name", "t", value: "NAME", "The target that embeddedInTarget puts them in."),
    OptionDeclaration(
      "sdk", value: "URL|FOLDER",
      "Where the package of swiftPackage finds the runtime; a folder is relative to that package."),
    OptionDeclaration(
      "endpoint", "e", value: "URL",
      "The GraphQL server that 'fetch-schema' asks for the schema, which goes to \(schemaPath)"),
    OptionDeclaration(
      "path", "p", value: "FILE", "Where to write. Default: \(ConfigurationFile.defaultPath)"),
    OptionDeclaration("overwrite", "w", "Replace a file that exists."),
    OptionDeclaration("print", "s", "Print the configuration instead of writing it."),
  ]

  /// The path to which `fetch-schema` writes the schema. `schemaSearchPaths` matches it.
  private static let schemaPath = "GraphQL/schema.graphqls"

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let text = try configuration(arguments)
    // `generate` must accept the result.
    let problems = try ApolloCodegenConfiguration(json: text).problems
    if let problem = problems.first { throw CommandFailure(problem.message) }
    if arguments.has("print") {
      Terminal.print(text)
      return .success
    }
    let path = Path.join(
      Disk.currentDirectory, arguments.value("path") ?? ConfigurationFile.defaultPath)
    if Disk().kind(of: path) != nil, !arguments.has("overwrite") {
      throw CommandFailure("'\(path)' exists. Use --overwrite to replace it.")
    }
    try Disk().replace(path, Array((text + "\n").utf8))
    let next = arguments.has("endpoint") ? "fetch-schema" : "generate"
    Terminal.print("Wrote '\(path)'. Edit it, then run 'apollo-cli \(next)'.")
    return .success
  }

  private static func configuration(_ arguments: ParsedArguments) throws -> String {
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
            "path": \(JSONLiteral.string("./" + namespace)),
            "moduleType": { \(try moduleType(arguments)) }
          },
          "operations": { "inSchemaModule": {} },
          "testMocks": { "none": {} }
        }
      }
      """
  }

  private static func moduleType(_ arguments: ParsedArguments) throws -> String {
    switch arguments.value("module-type") {
    case "embeddedInTarget"?:
      guard let target = arguments.value("target-name") else {
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

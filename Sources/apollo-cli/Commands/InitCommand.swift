import ApolloCodegenLib

/// `apollo-cli init`: writes a configuration to start from.
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
      "path", "p", value: "FILE", "Where to write. Default: \(ConfigurationFile.defaultPath)"),
    OptionDeclaration("overwrite", "w", "Replace a file that exists."),
    OptionDeclaration("print", "s", "Print the configuration instead of writing it."),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let text = try configuration(arguments)
    // What is written must be what `generate` accepts.
    let problems = try ApolloCodegenConfiguration(json: text).namespaceProblems
    if let problem = problems.first { throw CommandFailure(problem.message) }
    if arguments.has("print") {
      Terminal.print(text)
      return .success
    }
    let path = Path.join(
      Disk.currentDirectory, arguments.value("path") ?? ConfigurationFile.defaultPath)
    if Disk.kind(of: path) != nil, !arguments.has("overwrite") {
      throw CommandFailure("'\(path)' exists. Use --overwrite to replace it.")
    }
    try Disk.replace(path, Array((text + "\n").utf8))
    Terminal.print("Wrote '\(path)'. Edit it, then run 'apollo-cli generate'.")
    return .success
  }

  private static func configuration(_ arguments: ParsedArguments) throws -> String {
    guard let namespace = arguments.value("schema-namespace") else {
      throw CommandFailure("Give the namespace: --schema-namespace NAME")
    }
    let module: String
    switch arguments.value("module-type") {
    case "embeddedInTarget"?:
      guard let target = arguments.value("target-name") else {
        throw CommandFailure("embeddedInTarget needs the name of the target: --target-name NAME")
      }
      module = "\"embeddedInTarget\": { \"name\": \(JSONText.string(target)) }"
    case "swiftPackage"?, "swiftPackageManager"?: module = "\"swiftPackage\": {}"
    case "other"?: module = "\"other\": {}"
    case let other:
      throw CommandFailure(
        (other.map { "'\($0)' is not a module type." } ?? "Give the module type.")
          + " Use --module-type embeddedInTarget, swiftPackage or other.")
    }
    return """
      {
        "schemaNamespace": \(JSONText.string(namespace)),
        "input": {
          "schemaSearchPaths": ["**/*.graphqls"],
          "operationSearchPaths": ["**/*.graphql"]
        },
        "output": {
          "schemaTypes": {
            "path": \(JSONText.string("./" + namespace)),
            "moduleType": { \(module) }
          },
          "operations": { "inSchemaModule": {} },
          "testMocks": { "none": {} }
        }
      }
      """
  }
}

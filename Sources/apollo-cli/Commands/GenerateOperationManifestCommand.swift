import ApolloCodegenLib

/// The command `apollo-cli generate-operation-manifest`: writes the list of operations for servers
/// that accept only known ones.
enum GenerateOperationManifestCommand: Command {
  static let name = "generate-operation-manifest"
  static let summary = "Writes the operation manifest and no code."
  static let options =
    ConfigurationFile.options + [
      ConfigurationFile.ignoringVersions
    ]
  static let examples = [
    CommandExample("Write the manifest of the configuration.", "generate-operation-manifest")
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let file = try ConfigurationFile(arguments)
    try file.checkVersion(arguments)
    return Generation.run(
      .operationManifest, of: file, mode: .write, isVerbose: arguments.has("verbose"))
  }
}

import ApolloCodegenLib

/// The steps from a new configuration to generated code, as `init` prints them.
struct NextSteps {
  /// The module that will be generated.
  var module: FirstFiles
  /// The absolute path of the configuration.
  var configuration: String
  /// The path at which the schema is expected, relative to the configuration.
  var schemaPath: String
  /// Is `true` if the configuration names a server to download the schema from.
  var canDownload: Bool

  /// The steps, numbered in the order in which they are done.
  var text: String {
    var steps: [String] = []
    if let declaration { steps.append(declaration) }
    steps.append(
      canDownload
        ? "Download the schema: apollo-cli fetch-schema\(pathOption)"
        : "Save your server's schema as '\(schemaFile)'.")
    steps.append("Write operations in files whose names end in '.graphql'.")
    steps.append("Generate the Swift code: apollo-cli generate\(pathOption)")
    let lines = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
    return (["Next:"] + lines).joined(separator: "\n")
  }

  private var schemaFile: String {
    display(Path.join(Path.parent(of: configuration), schemaPath))
  }

  /// The option that names the configuration, unless it is the one that commands find in the
  /// current folder.
  private var pathOption: String {
    configuration == absolute(ConfigurationFile.defaultPath)
      ? "" : " --path '\(display(configuration))'"
  }

  private func display(_ path: String) -> String {
    Path.display(path, from: Environment.currentDirectory)
  }

  /// The lines that add the module to the project's package; `nil` when its manifest names the
  /// module already, or when the project has none.
  private var declaration: String? {
    guard let manifest = module.manifestOfProject, !isNamed(in: manifest) else { return nil }
    let file = display(manifest)
    let folder = Path.display(module.folder, from: Path.parent(of: manifest))
    switch module.kind {
    case .embedded: return nil
    case .target:
      let isConventional = folder == "Sources/\(module.name)"
      let path = isConventional ? "" : ",\n                 path: \"\(folder)\""
      return """
        Add a target to '\(file)', and name "\(module.name)" among the dependencies of the target
             that uses it:
               .target(
                 name: "\(module.name)",
                 dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")]\(path)),
        """
    case .package:
      return """
        Add a dependency to '\(file)', and name "\(module.name)" among the dependencies of the target
             that uses it:
               .package(path: "\(folder)"),
        """
    }
  }

  private func isNamed(in manifest: String) -> Bool {
    // SwiftPM reports a manifest that cannot be read.
    guard let text = try? Environment.fileSystem.read(manifest) else { return false }
    return String(decoding: text, as: UTF8.self).contains("\"\(module.name)\"")
  }
}

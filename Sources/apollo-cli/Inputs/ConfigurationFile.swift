import ApolloCodegenLib

/// The configuration of a command, and the folder that its paths are relative to.
struct ConfigurationFile {
  static let defaultPath = "./apollo-codegen-config.json"

  /// The options of every command that reads a configuration.
  static let options = [
    OptionDeclaration(
      "path", "p", value: "FILE", "The configuration file. Default: \(defaultPath)"),
    OptionDeclaration(
      "string", "s", value: "JSON", "The configuration itself; wins over --path."),
    OptionDeclaration("verbose", "v", "Print more details."),
  ]

  var configuration: ApolloCodegenConfiguration
  /// The text of the configuration.
  var text: String
  /// The path of the file, or `nil` if the text was given with `--string`.
  var path: String?
  var rootFolder: String

  /// Reads the configuration that the arguments name.
  ///
  /// - Throws: ``CommandFailure`` with every problem of the configuration, each with its place.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let source: String
    if let inline = arguments.value("string") {
      text = inline
      source = "--string"
      rootFolder = Environment.currentDirectory
    } else {
      let path = Path.join(
        Environment.currentDirectory, arguments.value("path") ?? Self.defaultPath)
      do {
        text = String(decoding: try Environment.fileSystem.read(path), as: UTF8.self)
      } catch {
        throw CommandFailure(
          "\(error) Create a configuration with 'apollo-cli init', or name one with --path.")
      }
      source = path
      self.path = path
      rootFolder = Path.parent(of: path)
    }
    do {
      var warnings: [ConfigurationProblem] = []
      configuration = try ApolloCodegenConfiguration(json: text, warnings: &warnings)
      for warning in warnings {
        Terminal.error("\(source): warning: \(warning.path): \(warning.message)")
      }
    } catch {
      throw CommandFailure(Self.text(of: error, source), code: .inputErrors)
    }
  }

  /// Returns the problems, one per line, each with the file and the key. The first line has no
  /// `error:` yet.
  func text(of error: ConfigurationError) -> String { Self.text(of: error, path ?? "--string") }

  private static func text(of error: ConfigurationError, _ source: String) -> String {
    error.problems.map {
      "\(source): \($0.path.isEmpty ? "" : "\($0.path): ")\($0.message)"
    }.joined(separator: "\nerror: ")
  }
}

// MARK: - The version of the runtime

extension ConfigurationFile {
  /// The option that permits another version of the generator than that of the project's runtime.
  static let ignoringVersions = OptionDeclaration(
    "ignore-version-mismatch", nil,
    "Generate although 'Package.resolved' names another version of the runtime.")

  /// Compares the version of this tool with those of the runtime in 'Package.resolved'.
  ///
  /// - Throws: ``CommandFailure`` if all of them differ, unless the arguments permit that.
  func checkVersion(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard !arguments.has(Self.ignoringVersions.name) else { return }
    var runtimes = ResolvedRuntime.find(in: rootFolder)
    if runtimes.isEmpty { runtimes = ResolvedRuntime.find(in: Environment.currentDirectory) }
    guard let runtime = runtimes.first,
      !runtimes.contains(where: { $0.version == generatorVersion })
    else { return }
    throw CommandFailure(
      "This is apollo-cli \(generatorVersion), and '\(runtime.path)' names version \(runtime.version) of the runtime, "
        + "which generated code may not fit. Use 'swift package apollo', which always has the version of the package, "
        + "or pass --ignore-version-mismatch.")
  }
}

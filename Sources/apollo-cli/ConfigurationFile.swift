import ApolloCodegenLib

/// The configuration that a command was given, and the folder that its paths are relative to.
struct ConfigurationFile {
  static let defaultPath = "./apollo-codegen-config.json"

  /// The options of every command that reads a configuration.
  static let options = [
    OptionDeclaration(
      "path", "p", value: "FILE", "The configuration file. Default: \(defaultPath)"),
    OptionDeclaration(
      "string", "s", value: "JSON", "The configuration itself; wins over --path."),
    OptionDeclaration("verbose", "v", "Say more about what is done."),
  ]

  var configuration: ApolloCodegenConfiguration
  /// The configuration as it was written.
  var text: String
  /// Where it was read from; `nil` when it was given with `--string`.
  var path: String?
  var rootFolder: String

  /// - Throws: ``CommandFailure`` with every problem of the configuration, each with its place.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let source: String
    if let inline = arguments.value("string") {
      text = inline
      source = "--string"
      rootFolder = Disk.currentDirectory
    } else {
      let path = Path.join(Disk.currentDirectory, arguments.value("path") ?? Self.defaultPath)
      do {
        text = String(decoding: try Disk().read(path), as: UTF8.self)
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

  /// The problems, one a line, each with the file and the key. The first is not marked as an error yet.
  func text(of error: ConfigurationError) -> String { Self.text(of: error, path ?? "--string") }

  private static func text(of error: ConfigurationError, _ source: String) -> String {
    error.problems.map {
      "\(source): \($0.path.isEmpty ? "" : "\($0.path): ")\($0.message)"
    }.joined(separator: "\nerror: ")
  }
}

// MARK: - The version of the runtime

extension ConfigurationFile {
  /// Lets generators of another version than the project's runtime run.
  static let ignoringVersions = OptionDeclaration(
    "ignore-version-mismatch", nil,
    "Generate although 'Package.resolved' names another version of the runtime.")

  /// Compares the version of this tool with those of the runtime that 'Package.resolved' names.
  ///
  /// - Throws: ``CommandFailure`` when all of them differ, unless the arguments say that this is right.
  func checkVersion(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard !arguments.has(Self.ignoringVersions.name) else { return }
    var runtimes = ResolvedRuntime.find(in: rootFolder)
    if runtimes.isEmpty { runtimes = ResolvedRuntime.find(in: Disk.currentDirectory) }
    guard let runtime = runtimes.first,
      !runtimes.contains(where: { $0.version == generatorVersion })
    else { return }
    throw CommandFailure(
      "This is apollo-cli \(generatorVersion), and '\(runtime.path)' names version \(runtime.version) of the runtime, "
        + "which generated code may not fit. Use 'swift package apollo', which always has the version of the package, "
        + "or pass --ignore-version-mismatch.")
  }
}

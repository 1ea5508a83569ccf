import ApolloCodegenLib
import GraphQLSyntax

/// The configuration of a command, and the folder that its paths are relative to.
struct ConfigurationFile {
  static let defaultPath = "./\(defaultName)"

  private static let defaultName = "apollo-codegen-config.json"

  /// The option that names the configuration file.
  static let pathOption = OptionDeclaration(
    "path", "p", value: "FILE", of: .file, default: "\(defaultPath), or the one in a folder above",
    "The configuration file.")

  /// The options of every command that reads a configuration.
  static let options = [
    pathOption,
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

  /// `true` if the arguments name a configuration, or if there is one in the current folder or in
  /// one above.
  static func isAvailable(_ arguments: ParsedArguments) -> Bool {
    arguments.has("path") || arguments.has("string") || nearestPath != nil
  }

  /// The configuration in the current folder, or else in the nearest folder above that has one.
  private static var nearestPath: String? {
    var folder = Environment.currentDirectory
    while true {
      let path = Path.join(folder, defaultName)
      if Environment.fileSystem.kind(of: path, followingLinks: true) != nil { return path }
      guard folder != "/" else { return nil }
      folder = Path.parent(of: folder)
    }
  }

  /// Reads the configuration that the arguments name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command.
  ///   - known: The path of the file that an earlier call has found.
  ///   - alternative: Advice for the case that there is no configuration.
  /// - Throws: ``CommandFailure`` after showing every problem of the configuration, each at its
  ///   place.
  init(
    _ arguments: ParsedArguments, at known: String? = nil,
    alternative: String = "name one with --path"
  ) throws(CommandFailure) {
    let bytes: [UInt8]
    if let inline = arguments.value("string") {
      bytes = Array(inline.utf8)
      rootFolder = Environment.currentDirectory
    } else {
      let path =
        known ?? arguments.value("path").map(absolute) ?? Self.nearestPath
        ?? absolute(Self.defaultPath)
      do {
        bytes = try Environment.fileSystem.read(path)
      } catch {
        throw CommandFailure(
          arguments.has("path")
            ? "\(error) Name another file with --path."
            : "\(error) Create a configuration with 'apollo-cli init', or \(alternative).")
      }
      self.path = path
      rootFolder = Path.parent(of: path)
      if known == nil, !arguments.has("path"), rootFolder != Environment.currentDirectory {
        Terminal.note("Using '\(path)'.")
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
    let source = ConfigurationText(text, name: Self.name(of: path))
    do {
      var warnings: [ConfigurationProblem] = []
      configuration = try ApolloCodegenConfiguration(json: bytes, warnings: &warnings)
      Terminal.show(source.diagnostics(for: warnings, severity: .warning), in: source.sources)
    } catch {
      Terminal.show(source.diagnostics(for: error.problems), in: source.sources)
      throw .shown(.inputErrors)
    }
  }

  /// Shows the problems of the configuration, each with its line and a frame.
  func show(_ error: ConfigurationError) {
    let source = ConfigurationText(text, name: Self.name(of: path))
    Terminal.show(source.diagnostics(for: error.problems), in: source.sources)
  }

  private static func name(of path: String?) -> String {
    path.map { Path.display($0, from: Environment.currentDirectory) } ?? "--string"
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

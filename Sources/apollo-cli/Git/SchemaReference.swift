import ApolloCodegenLib
import GraphQLSyntax

/// A schema that an argument of `schema diff` names.
enum SchemaReference {
  /// A file, a folder or a pattern of the working copy.
  case path(String)
  /// `git:REF` or `git:REF:PATH`: files as they are in a commit, or the other schema's files
  /// without a path.
  case git(name: String, path: String?)
  /// The schema of the configuration.
  case project

  /// Reads an argument. A file whose name starts with `git:` is named as `./git:…`.
  init(_ argument: String) {
    guard argument.hasPrefix("git:") else {
      self = .path(argument)
      return
    }
    let parts = argument.dropFirst(4).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    self = .git(name: String(parts[0]), path: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Reads the files of the schema.
  ///
  /// - Parameters:
  ///   - other: The schema to compare with, whose files are those of `git:REF` in the commit.
  ///   - arguments: The arguments, which can name a configuration.
  /// - Returns: The files, at least one.
  /// - Throws: ``CommandFailure`` if there are none, or if one cannot be read.
  func sources(
    besides other: SchemaReference, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> [Source] {
    switch self {
    case .path(let path): return try InputFiles.schemas.read([path])
    case .project: return try SchemaFiles.ofProject(arguments)
    case .git(let name, let path):
      let patterns: [String]
      var folder = Environment.currentDirectory
      if let path = path ?? other.path {
        patterns = Self.patterns(of: path)
        folder = Self.existingFolder(of: path)
      } else {
        let file = try ConfigurationFile(arguments)
        patterns = file.configuration.input.schemaSearchPaths.map { pattern in
          pattern.hasPrefix("!")
            ? "!" + Path.join(file.rootFolder, String(pattern.dropFirst()))
            : Path.join(file.rootFolder, pattern)
        }
        folder = file.rootFolder
      }
      let sources = try GitRevision(name, around: folder).sources(matching: patterns)
      guard !sources.isEmpty else {
        throw CommandFailure(
          "The commit '\(name)' has no file that matches "
            + patterns.map { "'\(Path.display($0, from: Environment.currentDirectory))'" }
            .joined(separator: ", ") + ".")
      }
      return sources
    }
  }

  private var path: String? {
    switch self {
    case .path(let path): path
    case .git(_, let path): path
    case .project: nil
    }
  }

  /// Returns absolute patterns for a file, a folder or a pattern.
  private static func patterns(of path: String) -> [String] {
    let path = absolute(path)
    guard Environment.fileSystem.kind(of: path, followingLinks: true) == .directory else {
      return [path]
    }
    return InputFiles.schemas.extensions.map { "\(path)/**/*.\($0)" }
  }

  /// Returns the innermost folder around a path that exists in the working copy.
  private static func existingFolder(of path: String) -> String {
    var folder = absolute(path)
    while Environment.fileSystem.kind(of: folder, followingLinks: true) != .directory, folder != "/"
    {
      folder = Path.parent(of: folder)
    }
    return folder
  }
}

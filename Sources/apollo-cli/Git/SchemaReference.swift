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
  ///   - files: The files of the command, which can have a configuration.
  /// - Returns: The files, at least one.
  /// - Throws: ``CommandFailure`` if there are none, or if one cannot be read.
  func sources(
    besides other: SchemaReference, _ files: inout SchemaFiles
  ) throws(CommandFailure) -> [Source] {
    switch self {
    case .path(let path): return try InputFiles.schemas.read([path])
    case .project: return try files.ofProject()
    case .git(let name, let path):
      let folder: String
      let patterns: [String]
      if let path = path ?? other.path {
        folder = Self.existingFolder(of: path)
        patterns = Self.patterns(of: path, in: folder)
      } else {
        let file = try files.configurationFile()
        folder = file.rootFolder
        patterns = file.configuration.input.schemaSearchPaths
      }
      let glob: Glob
      do {
        // git knows the folder by its real path. Its name is no pattern.
        glob = try Glob(patterns, root: Environment.fileSystem.resolved(folder) ?? folder)
      } catch {
        throw CommandFailure("\(error)")
      }
      let sources = try GitRevision(name, around: folder).sources(matching: glob)
      guard !sources.isEmpty else {
        throw CommandFailure(
          "The commit '\(name)' has no file that matches "
            + patterns.filter { !$0.hasPrefix("!") }.map { Path.join(folder, $0) }
            .map { "'\(Path.display($0, from: Environment.currentDirectory))'" }
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

  /// Returns patterns, relative to the innermost folder around it that exists, for a file, a folder
  /// or a pattern.
  private static func patterns(of path: String, in folder: String) -> [String] {
    let path = absolute(path)
    guard path == folder else { return [Path.display(path, from: folder)] }
    return InputFiles.schemas.extensions.map { "**/*.\($0)" }
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

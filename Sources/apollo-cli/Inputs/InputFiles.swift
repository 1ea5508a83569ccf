import ApolloCodegenLib
import GraphQLSyntax

/// A search for the GraphQL files that a command line names: files, folders, patterns, and `-` for
/// standard input.
struct InputFiles {
  /// The extensions of files that are read from a folder.
  var extensions: [String]
  /// The files that are excluded from folders and patterns, those of the schema. See
  /// ``file(at:)``.
  var excluded: Set<String> = []

  /// The greatest number of bytes that are read. No GraphQL file is larger.
  static let greatestSize = 256 << 20

  /// The name of the source that is read from standard input.
  static let standardInputName = "<stdin>"

  static let operations = InputFiles(extensions: ["graphql", "gql"])
  static let schemas = InputFiles(extensions: ["graphqls", "graphql", "gql", "json"])

  /// Returns the absolute path of a file, to which symbolic links lead. A file has only one.
  static func file(at path: String) -> String {
    Environment.fileSystem.resolved(absolute(path)) ?? absolute(path)
  }

  /// Reads the sources in the order of `arguments`, those of one argument sorted by path, each file
  /// once. A file and links to it are one file.
  ///
  /// - Throws: ``CommandFailure`` if a file is missing or cannot be read, or if an argument matches
  ///   nothing.
  func read(_ arguments: [String]) throws(CommandFailure) -> [Source] {
    var sources: [Source] = []
    var taken: Set<String> = []
    for argument in arguments {
      if argument == "-" {
        let bytes = try Terminal.standardInput(limit: Self.greatestSize + 1)
        guard bytes.count <= Self.greatestSize else {
          throw CommandFailure("Standard input has more than \(Self.greatestSize >> 20) MB.")
        }
        sources.append(Source(name: Self.standardInputName, bytes: bytes))
        continue
      }
      for path in try paths(for: argument) where taken.insert(Self.file(at: path)).inserted {
        sources.append(try read(path))
      }
    }
    return sources
  }

  /// Returns the files that `argument` names, relative if it is relative.
  private func paths(for argument: String) throws(CommandFailure) -> [String] {
    // An empty path would be the current folder, which is rarely the meaning of an unset shell
    // variable.
    guard !argument.isEmpty else { throw CommandFailure("The name of a file or folder is empty.") }
    let path = absolute(argument)
    switch Environment.fileSystem.kind(of: path, followingLinks: true) {
    case .file: return [argument]
    case .directory:
      // The name of a folder is no pattern.
      let found = try files(
        matching: Glob(trusting: extensions.map { "**/*.\($0)" }, root: path), of: argument)
      guard found.isEmpty else { return found }
      throw CommandFailure(
        "There are no files in '\(argument)' that end in \(extensions.joined(separator: ", ")).")
    case .symbolicLink, .other:
      throw CommandFailure("'\(argument)' is neither a file nor a folder.")
    case nil:
      guard argument.contains(where: { "*?".contains($0) }) else {
        throw CommandFailure("There is no file or folder '\(argument)'.")
      }
      let glob: Glob
      do {
        glob = try Glob([argument], root: Environment.currentDirectory)
      } catch {
        throw CommandFailure("\(error)")
      }
      let found = try files(matching: glob, of: argument)
      guard found.isEmpty else { return found }
      throw CommandFailure("No file matches '\(argument)'.")
    }
  }

  /// Returns the files that match, without those that are excluded.
  ///
  /// - Throws: ``CommandFailure`` if a folder cannot be read, or if all of the files are excluded.
  private func files(
    matching glob: Glob, of argument: String
  ) throws(CommandFailure) -> [String] {
    let found: [String]
    do {
      found = try glob.files(in: Environment.fileSystem)
    } catch {
      throw CommandFailure("\(error)")
    }
    let included = found.filter { !excluded.contains(Self.file(at: $0)) }
    guard !included.isEmpty || found.isEmpty else {
      throw CommandFailure(
        "All files of '\(argument)' belong to the schema, because --schema names them as well. "
          + "Name the schema's files alone with --schema, such as '**/*.graphqls'.")
    }
    return included.map { Path.display($0, from: Environment.currentDirectory) }
  }

  private func read(_ path: String) throws(CommandFailure) -> Source {
    do {
      return Source(
        name: path, bytes: try Environment.fileSystem.read(absolute(path), limit: Self.greatestSize)
      )
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}

extension Source {
  /// Replaces the contents of the file that was read.
  ///
  /// - Throws: ``CommandFailure`` if the file was changed in the meantime, such as by an editor,
  ///   and the errors of the file system.
  func rewrite(_ bytes: [UInt8]) throws {
    guard try Environment.fileSystem.rewrite(absolute(name), bytes, ifStill: self.bytes) else {
      throw CommandFailure(
        "'\(name)' was changed in the meantime, and stays as it is. Run the command again.")
    }
  }
}

/// Returns the absolute path.
func absolute(_ path: String) -> String { Path.join(Environment.currentDirectory, path) }

import ApolloCodegenLib
import GraphQLSyntax

/// Finds and reads the GraphQL files that a command line names: files, folders, patterns, and `-`
/// for standard input.
struct InputFiles {
  /// What files in a folder end in to be taken.
  var extensions: [String]
  /// Paths that are not taken, although a folder or a pattern has them.
  var excluded: Set<String> = []

  /// How many bytes are read at most: what is larger was not written as GraphQL.
  static let greatestSize = 256 << 20

  /// What the source read from standard input is called.
  static let standardInputName = "<stdin>"

  static let operations = InputFiles(extensions: ["graphql", "gql"])
  static let schemas = InputFiles(extensions: ["graphqls", "graphql", "gql", "json"])

  /// The sources in the order of `arguments`, those of one argument sorted by path; each file once.
  ///
  /// - Throws: When something is missing or cannot be read, and when an argument stands for
  ///   nothing.
  func read(_ arguments: [String]) throws(CommandFailure) -> [Source] {
    var sources: [Source] = []
    var taken: Set<String> = []
    for argument in arguments {
      if argument == "-" {
        let bytes = Terminal.standardInput(limit: Self.greatestSize + 1)
        guard bytes.count <= Self.greatestSize else {
          throw CommandFailure("Standard input has more than \(Self.greatestSize >> 20) MB.")
        }
        sources.append(Source(name: Self.standardInputName, bytes: bytes))
        continue
      }
      for path in try paths(for: argument) where taken.insert(absolute(path)).inserted {
        sources.append(try read(path))
      }
    }
    return sources
  }

  /// The files that `argument` stands for, spelled as it is.
  private func paths(for argument: String) throws(CommandFailure) -> [String] {
    // Else it would be the current folder, which is hardly what an unset variable of a shell means.
    guard !argument.isEmpty else { throw CommandFailure("The name of a file or folder is empty.") }
    let path = absolute(argument)
    switch Disk().kind(of: path, followingLinks: true) {
    case .file: return [argument]
    case .directory:
      let found = try files(matching: extensions.map { "\(path)/**/*.\($0)" })
      guard found.isEmpty else { return found }
      throw CommandFailure(
        "There are no files in '\(argument)' that end in \(extensions.joined(separator: ", ")).")
    case .symbolicLink, .other:
      throw CommandFailure("'\(argument)' is neither a file nor a folder.")
    case nil:
      guard argument.contains(where: { "*?".contains($0) }) else {
        throw CommandFailure("There is no file or folder '\(argument)'.")
      }
      let found = try files(matching: [argument])
      guard found.isEmpty else { return found }
      throw CommandFailure("No file matches '\(argument)'.")
    }
  }

  private func files(matching patterns: [String]) throws(CommandFailure) -> [String] {
    do {
      let found = try Glob(patterns, root: Disk.currentDirectory).files()
      return found.filter { !excluded.contains($0) }
        .map { Path.display($0, from: Disk.currentDirectory) }
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  private func read(_ path: String) throws(CommandFailure) -> Source {
    do {
      return Source(name: path, bytes: try Disk().read(absolute(path), limit: Self.greatestSize))
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}

/// The path from the root of the file system.
func absolute(_ path: String) -> String { Path.join(Disk.currentDirectory, path) }

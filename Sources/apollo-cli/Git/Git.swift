import ApolloCodegenLib
import Foundation
import GraphQLSyntax

/// A commit of the git repository around a folder.
struct GitRevision {
  private let name: String
  /// The absolute path of the working copy.
  private let root: String

  /// Finds a commit by the name of a branch or tag, a hash, or `HEAD~1`.
  init(_ name: String, around folder: String) throws(CommandFailure) {
    // A name that looks like an option would be one.
    guard !name.isEmpty, !name.hasPrefix("-") else {
      throw CommandFailure("'git:\(name)' names no commit. Use git:BRANCH, git:TAG or git:HASH.")
    }
    root = try Self.line(["rev-parse", "--show-toplevel"], in: folder) {
      "'\(folder)' is not in a git repository: \($0)"
    }
    self.name = try Self.line(["rev-parse", "--verify", "--quiet", "\(name)^{commit}"], in: folder)
    {
      _ in "The git repository at '\(folder)' has no commit '\(name)'."
    }
    label = name
  }

  /// The name as the user wrote it.
  private let label: String

  /// Returns the files of the commit that match a pattern, sorted by path.
  ///
  /// They have the contents of a working copy, which filters such as that of Git LFS can change. A
  /// file and links to it are one file, which has its own name.
  ///
  /// - Parameter glob: Patterns of paths in the working copy, below a real path.
  /// - Returns: The files as they are in the commit.
  /// - Throws: ``CommandFailure`` if git fails, or if a link leads out of the repository.
  func sources(matching glob: Glob) throws(CommandFailure) -> [Source] {
    let (paths, links) = try entries()
    // The path that names a file, by the path of the file.
    var names: [String: String] = [:]
    for path in paths.sorted() where glob.matches(Path.join(root, path)) {
      let file = try target(of: path, through: links)
      // A link to a folder or to nothing is no file.
      guard paths.contains(file) else { continue }
      if names[file] == nil || path == file { names[file] = path }
    }
    var sources: [Source] = []
    for (file, path) in names.sorted(by: { $0.value < $1.value }) {
      let bytes = try Self.run(["cat-file", "--filters", "\(name):\(file)"], in: root)
      sources.append(Source(name: "\(label):\(path)", bytes: bytes))
    }
    return sources
  }

  // MARK: - Symbolic links

  /// The mode of a symbolic link in a listing of git.
  private static let linkMode = "120000"
  /// The greatest number of links that one path leads through. Systems have similar limits.
  private static let greatestLinkCount = 40

  /// Returns the paths of all files and links of the commit, and those of the links alone.
  private func entries() throws(CommandFailure) -> (paths: Set<String>, links: Set<String>) {
    let listing = try Self.run(["ls-tree", "-r", "-z", "--full-tree", name], in: root)
    var (paths, links): (Set<String>, Set<String>) = ([], [])
    // An entry is its mode, its type and its hash, then a tab and its path.
    for entry in listing.split(separator: 0) {
      guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      let path = String(decoding: entry[(tab + 1)...], as: UTF8.self)
      paths.insert(path)
      if entry.starts(with: Self.linkMode.utf8) { links.insert(path) }
    }
    return (paths, links)
  }

  /// Returns the path of the commit that a path leads to.
  ///
  /// The path is walked from the root. The text of a link takes the place of what has been walked,
  /// and the walk begins anew.
  private func target(
    of path: String, through links: Set<String>
  ) throws(CommandFailure) -> String {
    var rest: ArraySlice<String> = path.split(separator: "/").map(String.init)[...]
    var walked = ""
    var linkCount = 0
    while let component = rest.popFirst() {
      walked = walked.isEmpty ? component : "\(walked)/\(component)"
      guard links.contains(walked) else { continue }
      let text = try Self.run(["cat-file", "blob", "\(name):\(walked)"], in: root)
      let target = Path.join(
        Path.parent(of: Path.join(root, walked)), String(decoding: text, as: UTF8.self))
      linkCount += 1
      guard Path.isInside(target, root), linkCount <= Self.greatestLinkCount else {
        throw CommandFailure(
          "The symbolic link '\(label):\(path)' leads out of the repository, or in a circle. "
            + "Name the file of the schema itself.")
      }
      let components = target.split(separator: "/").dropFirst(root.split(separator: "/").count)
      rest.insert(contentsOf: components.map(String.init), at: rest.startIndex)
      walked = ""
    }
    return walked
  }

  // MARK: - Running git

  /// Returns the only line that git prints.
  private static func line(
    _ arguments: [String], in folder: String, failure: (String) -> String
  ) throws(CommandFailure) -> String {
    let (status, output, errors) = try execute(arguments, in: folder)
    guard status == 0 else { throw CommandFailure(failure(errors)) }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  private static func run(_ arguments: [String], in folder: String) throws(CommandFailure)
    -> [UInt8]
  {
    let (status, output, errors) = try execute(arguments, in: folder)
    guard status == 0 else { throw CommandFailure("git \(arguments[0]) failed: \(errors)") }
    return output
  }

  /// The environment of git, in which it searches the repository around a folder by itself.
  ///
  /// Hooks in a linked working tree (`git worktree`) have `GIT_DIR`. Without `GIT_WORK_TREE`, git
  /// would take each folder that it starts in for the root of the working copy.
  private static var environment: [String: String] {
    var variables = ProcessInfo.processInfo.environment
    if variables["GIT_WORK_TREE"] == nil { variables["GIT_DIR"] = nil }
    return variables
  }

  private static func execute(
    _ arguments: [String], in folder: String
  ) throws(CommandFailure) -> (status: Int32, output: [UInt8], errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    process.environment = environment
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch { throw CommandFailure("git cannot be run: \(error)") }
    // git prints little to standard error, less than a pipe holds, so it can be read second.
    let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
    let text = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (
      process.terminationStatus, bytes, text.trimmingCharacters(in: .whitespacesAndNewlines)
    )
  }
}

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
  /// - Parameter glob: Patterns of paths in the working copy, below a real path.
  /// - Returns: The files as they are in the commit.
  /// - Throws: ``CommandFailure`` if git fails.
  func sources(matching glob: Glob) throws(CommandFailure) -> [Source] {
    let listing = try Self.run(
      ["ls-tree", "-r", "-z", "--name-only", "--full-tree", name], in: root)
    let paths = listing.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { glob.matches(Path.join(root, $0)) }.sorted()
    var sources: [Source] = []
    for path in paths {
      let bytes = try Self.run(["cat-file", "blob", "\(name):\(path)"], in: root)
      sources.append(Source(name: "\(label):\(path)", bytes: bytes))
    }
    return sources
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

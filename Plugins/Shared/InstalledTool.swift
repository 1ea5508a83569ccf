import Foundation

/// A copy of `apollo-cli` that was built before, so that a project need not build one.
///
/// `swift package apollo install` makes such a copy. Its name has the hash of its sources, and the
/// command `apollo-cli` is a symbolic link to the latest one:
///
///     ~/.local/bin/apollo-cli  →  .apollo-cli/0.1.0-3c9f1e0a7b52d864
///
/// A plugin uses the copy of exactly its package's sources: generated code and runtime belong
/// together, and revisions between two releases have the same version. Copies of several revisions
/// can exist side by side.
enum InstalledTool {
  /// The version of this package. `.ci/tests` compares it with the generator's.
  static let version = "0.1.0"

  /// The variable of the environment that names a tool, or says `build`: then none is used.
  static let variable = "APOLLO_CLI"

  /// The folder of the copies, beside the link.
  static let copies = ".apollo-cli"

  /// Returns the tool that ``variable`` names, or the copy for this package in `~/.local/bin` and
  /// the folders of `PATH`.
  ///
  /// - Returns: The tool, or `nil` if there is none.
  /// - Throws: ``ToolFailure`` if the variable names a file that is no tool of this package.
  static func find() throws -> URL? {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment[variable], !named.isEmpty {
      return named == "build" ? nil : try check(URL(fileURLWithPath: named))
    }
    let folders =
      [defaultFolder.path] + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let installed = folders.map { URL(fileURLWithPath: $0).appendingPathComponent(copies) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    guard !installed.isEmpty, let name else { return nil }
    return installed.map { $0.appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The name of the copy for this package, or `nil` if its sources cannot be read.
  static var name: String? { ToolSources.fingerprint().map { "\(version)-\($0)" } }

  /// The folder that `install` copies to.
  static var defaultFolder: URL {
    FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/bin")
  }

  /// Checks a tool that the environment names.
  ///
  /// One that `install` has not made, such as an artifact of another machine, has no hash: then its
  /// version decides.
  private static func check(_ named: URL) throws -> URL {
    let tool = named.resolvingSymlinksInPath()
    guard let found = version(of: tool) else {
      throw ToolFailure(
        description: "\(variable) names '\(named.path)', which is no apollo-cli. Correct it, or "
          + "make the tool with 'swift package apollo install'.")
    }
    guard found == version else {
      throw ToolFailure(
        description: "\(variable) names apollo-cli \(found), and this package has version "
          + "\(version). Install that one with 'swift package apollo install'.")
    }
    let isCopy = tool.deletingLastPathComponent().lastPathComponent == copies
    guard !isCopy || tool.lastPathComponent == name else {
      throw ToolFailure(
        description: "\(variable) names an apollo-cli that was made of other sources than those of "
          + "this package. Install it again with 'swift package apollo install'.")
    }
    return tool
  }

  /// Returns the version that a tool prints, or `nil` if it prints none.
  private static func version(of tool: URL) -> String? {
    guard FileManager.default.isExecutableFile(atPath: tool.path) else { return nil }
    let process = Process()
    let output = Pipe()
    process.executableURL = tool
    process.arguments = ["--version"]
    // Another program might wait for input.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // A file that cannot be run is no tool.
    guard (try? process.run()) != nil else { return nil }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    // Other programs print more, or something else.
    return text.first?.isNumber == true && !text.contains(where: \.isWhitespace) ? text : nil
  }
}

/// Ends a command, or a build, with a message.
struct ToolFailure: Error, CustomStringConvertible {
  var description: String
}

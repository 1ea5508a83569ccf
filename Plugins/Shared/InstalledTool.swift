import Foundation
import PackagePlugin

/// A copy of `apollo-cli` that was built before, so that a project need not build one.
///
/// `swift package apollo install` makes such a copy. A copy of another version is not used, because
/// generated code and runtime have the same version.
enum InstalledTool {
  /// The version of this package. `.ci/tests` compares it with the generator's.
  static let version = "0.1.0"

  /// The variable of the environment that names a copy, or says `build`: then none is used.
  static let variable = "APOLLO_CLI"

  /// Returns the copy that ``variable`` names, or the first one of this version in `~/.local/bin`
  /// and the folders of `PATH`.
  ///
  /// - Returns: The copy, or `nil` if there is none.
  /// - Throws: ``ToolFailure`` if the variable names a file that is no tool of this version.
  static func find() throws -> URL? {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment[variable], !named.isEmpty {
      return named == "build" ? nil : try check(URL(fileURLWithPath: named))
    }
    let folders =
      [defaultFolder.path] + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.map { URL(fileURLWithPath: $0).appendingPathComponent("apollo-cli") }
      .first { version(of: $0) == version }
  }

  /// The folder that `install` copies to.
  static var defaultFolder: URL {
    FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/bin")
  }

  private static func check(_ tool: URL) throws -> URL {
    guard let found = version(of: tool) else {
      throw ToolFailure(
        description: "\(variable) names '\(tool.path)', which is no apollo-cli. Correct it, or "
          + "make the tool with 'swift package apollo install'.")
    }
    guard found == version else {
      throw ToolFailure(
        description: "\(variable) names apollo-cli \(found), and this package has version "
          + "\(version). Install that one with 'swift package apollo install'.")
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

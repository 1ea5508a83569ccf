import Foundation
import PackagePlugin

/// `swift package apollo …`: the command line tool, built from the version of the package that the
/// project depends on.
///
/// The arguments are those of `apollo-cli`. It runs in the package's folder and may write there.
@main
struct ApolloCommandPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try run(
      try context.tool(named: "apollo-cli").url, arguments + ignoringVersions(arguments),
      in: context.package.directoryURL)
  }

  /// The tool is that of the package which is depended on, whatever an old 'Package.resolved' says.
  private func ignoringVersions(_ arguments: [String]) -> [String] {
    let comparing = ["generate", "generate-operation-manifest"]
    guard let command = arguments.first, comparing.contains(command) else { return [] }
    return ["--ignore-version-mismatch"]
  }

  private func run(_ tool: URL, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      // The tool has said what is wrong.
      throw ToolFailure(status: process.terminationStatus)
    }
  }
}

/// Ends the command with an error.
struct ToolFailure: Error, CustomStringConvertible {
  var status: Int32
  var description: String { "apollo-cli ended with status \(status)." }
}

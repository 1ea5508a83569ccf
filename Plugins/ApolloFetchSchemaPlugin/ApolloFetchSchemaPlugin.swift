import Foundation
import PackagePlugin

/// `swift package apollo-fetch-schema …`: downloads the schema, with the permission to use the
/// network.
///
/// The arguments are those of `apollo-cli fetch-schema`.
@main
struct ApolloFetchSchemaPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let process = Process()
    process.executableURL = try context.tool(named: "apollo-cli").url
    process.arguments = ["fetch-schema"] + arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      // The tool has said what is wrong.
      throw ToolFailure(description: "apollo-cli ended with status \(process.terminationStatus).")
    }
  }
}

/// Ends the command with an error.
struct ToolFailure: Error, CustomStringConvertible {
  var description: String
}

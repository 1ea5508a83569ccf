import Foundation
import PackagePlugin

/// `swift package apollo …`: the command line tool, of the version of the package that the project
/// depends on.
///
/// The arguments are those of `apollo-cli`, and `install`. The tool runs in the package's folder
/// and may write there.
@main
struct ApolloCommandPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    guard arguments.first == "install" else {
      return try ToolRun(arguments).perform(context, packageManager)
    }
    try Installation(arguments.dropFirst()).perform(packageManager)
  }
}

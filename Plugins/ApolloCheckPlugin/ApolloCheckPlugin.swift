import PackagePlugin

/// `swift package apollo-check …`: the commands of `apollo-cli` that write nothing, which need no
/// permission.
///
/// The arguments are those of `apollo-cli`, such as `validate`, `lint`, `generate --check` and
/// `--help`.
@main
struct ApolloCheckPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    if let command = WritingCommands.command(in: arguments) {
      throw ToolFailure(
        description: "'\(command)' writes files. Use 'swift package "
          + "--allow-writing-to-package-directory apollo \(arguments.joined(separator: " "))'.")
    }
    try ToolRun(arguments).perform(context, packageManager)
  }
}

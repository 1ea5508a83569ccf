import PackagePlugin

/// `swift package apollo-check …`: the commands of `apollo-cli` that write nothing, which need no
/// permission.
///
/// The arguments are those of `apollo-cli`, such as `validate`, `lint`, `generate --check` and
/// `--help`.
@main
struct ApolloCheckPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    guard !isWriting(arguments) else {
      throw ToolFailure(
        description: "'\(arguments[0])' writes files. Use 'swift package "
          + "--allow-writing-to-package-directory apollo \(arguments.joined(separator: " "))'.")
    }
    try ToolRun(arguments).perform(context, packageManager)
  }

  private func isWriting(_ arguments: [String]) -> Bool {
    guard let command = arguments.first, !arguments.contains("--help"), !arguments.contains("-h")
    else { return false }
    func has(_ options: String...) -> Bool { arguments.contains(where: options.contains) }
    return switch command {
    case "init": !has("--print", "-s")
    case "generate": !has("--check", "--dry-run", "-n")
    case "format": !has("--check")
    case "validate", "lint": has("--fix")
    case "fetch-schema", "generate-operation-manifest": true
    default: false
    }
  }
}

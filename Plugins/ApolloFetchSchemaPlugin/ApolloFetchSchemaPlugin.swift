import PackagePlugin

/// `swift package apollo-fetch-schema …`: downloads the schema, with the permission to use the
/// network.
///
/// The arguments are those of `apollo-cli fetch-schema`.
@main
struct ApolloFetchSchemaPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try ToolRun(["fetch-schema"] + arguments).perform(context, packageManager)
  }
}

import Foundation
import PackagePlugin

/// Generates Swift for a target whenever its schema, its operations or its configuration have changed, as a part of the build.
///
/// The target's folder, or the package's, holds an `apollo-codegen-config.json`. The code is compiled into the target without
/// ever being among its sources: where `output` says that code goes is not used. `SchemaConfiguration.swift` and custom scalars
/// of your own are ordinary sources of the target.
@main
struct ApolloCodegenPlugin: BuildToolPlugin {
  private static let configurationName = "apollo-codegen-config.json"

  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let folders = [target.directoryURL, context.package.directoryURL]
    let configurations = folders.map { $0.appendingPathComponent(Self.configurationName) }
    guard
      let configuration = configurations.first(where: {
        FileManager.default.fileExists(atPath: $0.path)
      })
    else {
      let places = configurations.map { "'\($0.path)'" }.joined(separator: " and ")
      throw PluginFailure(
        description: "The target '\(target.name)' has no GraphQL configuration: there is neither "
          + "\(places). "
          + "Create one with 'swift package apollo init', or remove the plugin from the target.")
    }
    let output = context.pluginWorkDirectoryURL
    return [
      .buildCommand(
        displayName: "Generating Swift from the GraphQL of \(target.name)",
        executable: try context.tool(named: "apollo-cli").url,
        arguments: [
          "generate", "--path", configuration.path, "--combine-into", output.path,
          "--own-sources", target.directoryURL.path,
        ],
        inputFiles: [configuration] + inputs(in: configuration.deletingLastPathComponent()),
        // The names are those of `CombinedOutput`.
        outputFiles: ["Schema.graphql.swift", "Operations.graphql.swift"].map {
          output.appendingPathComponent($0)
        })
    ]
  }

  /// Everything that the configuration's search paths may mean: a file too many only costs a run, one too few misses a change.
  ///
  /// Swift sources are among them because one that appears may take the place of generated code.
  private func inputs(in folder: URL) -> [URL] {
    let kinds: Set<String> = ["graphql", "graphqls", "gql", "json", "swift"]
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    return (files?.compactMap { $0 as? URL } ?? [])
      .filter { kinds.contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
  }
}

/// Printed by the build as it is.
struct PluginFailure: Error, CustomStringConvertible {
  var description: String
}

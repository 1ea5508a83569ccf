import Foundation
import PackagePlugin

/// Generates Swift for a target whenever its schema, its operations or its configuration have
/// changed, as a part of the build.
///
/// The target's folder, or the package's, holds an `apollo-codegen-config.json`. The code is
/// compiled into the target but never written among its sources: the configuration's `output` is
/// not used. `SchemaConfiguration.swift` and custom scalars of your own are ordinary
/// sources of the target.
@main
struct ApolloCodegenPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let generation = try Generation(
      target: target.name, searching: [target.directoryURL, context.package.directoryURL],
      ownSources: target.directoryURL)
    return [
      generation.command(
        tool: try tool { try context.tool(named: $0).url }, output: context.pluginWorkDirectoryURL)
    ]
  }

  /// Returns the installed tool that `APOLLO_CLI` names, or the one of the package.
  ///
  /// The package's manifest leaves its own out if the variable is set: what a plugin depends on is
  /// built, whether it is used or not.
  private func tool(_ named: (String) throws -> URL) throws -> URL {
    let variable = ProcessInfo.processInfo.environment[InstalledTool.variable] ?? ""
    if variable.isEmpty || variable == "build" { return try named("apollo-cli") }
    return try InstalledTool.find() ?? named("apollo-cli")
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  /// The same for a target of an Xcode project, which has no folder: that of the target's name
  /// beside the project takes its place, where there is one.
  extension ApolloCodegenPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let project = context.xcodeProject.directoryURL
      let folder = project.appendingPathComponent(target.displayName, isDirectory: true)
      // A configuration that is listed in the target wins, wherever it is.
      let listed = target.inputFiles.map(\.url)
        .filter { $0.lastPathComponent == Generation.configurationName }
        .map { $0.deletingLastPathComponent() }
      let generation = try Generation(
        target: target.displayName, searching: listed + [folder, project],
        ownSources: FileManager.default.fileExists(atPath: folder.path) ? folder : project)
      return [
        generation.command(
          tool: try tool { try context.tool(named: $0).url },
          output: context.pluginWorkDirectoryURL)
      ]
    }
  }
#endif

/// One run of the generator during a build.
private struct Generation {
  static let configurationName = "apollo-codegen-config.json"

  private let target: String
  private let configuration: URL
  private let ownSources: URL

  /// Looks for the configuration in the folders, the best first.
  init(target: String, searching folders: [URL], ownSources: URL) throws {
    let configurations = folders.map { $0.appendingPathComponent(Self.configurationName) }
    guard
      let found = configurations.first(where: { FileManager.default.fileExists(atPath: $0.path) })
    else {
      let places = configurations.map { "'\($0.path)'" }.joined(separator: " nor ")
      throw ToolFailure(
        description: "The target '\(target)' has no GraphQL configuration: there is neither "
          + "\(places). "
          + "Create one with 'swift package apollo init', or remove the plugin from the target.")
    }
    self.target = target
    configuration = found
    self.ownSources = ownSources
  }

  func command(tool: URL, output: URL) -> Command {
    .buildCommand(
      displayName: "Generating Swift from the GraphQL of \(target)",
      executable: tool,
      arguments: [
        "generate", "--path", configuration.path, "--combine-into", output.path,
        "--own-sources", ownSources.path,
        // The tool is that of the package which the target depends on, whatever an old
        // 'Package.resolved' says.
        "--ignore-version-mismatch",
        // A build prints what needs attention, and nothing when nothing does.
        "--quiet",
      ],
      inputFiles: [configuration] + PluginInputs(configuration, ownSources: ownSources).files,
      // The names are those of `CombinedOutput`.
      outputFiles: ["Schema.graphql.swift", "Operations.graphql.swift"].map {
        output.appendingPathComponent($0)
      })
  }
}

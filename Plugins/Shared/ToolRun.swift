import Foundation
import PackagePlugin

/// A run of `apollo-cli` for a command plugin.
struct ToolRun {
  var arguments: [String]

  init(_ arguments: [String]) {
    self.arguments = WritingCommands.ignoringVersions(arguments)
  }

  /// Runs a tool in the package's folder: an installed one, the one of an artifact bundle, or one
  /// that is built for this purpose.
  func perform(_ context: PluginContext, _ packageManager: PackageManager) throws {
    let process = Process()
    process.executableURL =
      try InstalledTool.find() ?? Self.ofBundle(context) ?? Self.build(.debug, packageManager)
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      // The tool has said what is wrong.
      throw ToolFailure(description: "apollo-cli ended with status \(process.terminationStatus).")
    }
  }

  /// Returns the tool of the bundle that the package's manifest names; `nil` if it names none,
  /// since the plugin does not depend on the tool then.
  private static func ofBundle(_ context: PluginContext) -> URL? {
    try? context.tool(named: "apollo-cli").url
  }

  /// Builds the tool as a product of the package, so that `swift run apollo-cli` uses the same
  /// files.
  static func build(
    _ configuration: PackageManager.BuildConfiguration, _ packageManager: PackageManager
  ) throws -> URL {
    let result = try packageManager.build(
      .product("apollo-cli"), parameters: .init(configuration: configuration))
    // The result also names 'apollo-cli-tool', which only a build plugin would have built.
    guard result.succeeded,
      let tool = result.builtArtifacts.first(where: { $0.url.lastPathComponent == "apollo-cli" })
    else {
      throw ToolFailure(description: "apollo-cli could not be built.\n\(result.logText)")
    }
    return tool.url
  }
}

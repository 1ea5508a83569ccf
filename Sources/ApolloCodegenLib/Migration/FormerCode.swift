/// Files that Apollo iOS 0.x generated.
///
/// It had no configuration, so they can be anywhere in a project.
package enum FormerCode {
  /// Folders with the code of others, and with what the project is built to.
  private static let ignoredFolders = [
    ".build", ".git", "build", "Carthage", "DerivedData", "node_modules", "Pods", "SourcePackages",
  ]

  /// Searches a project.
  ///
  /// - Parameters:
  ///   - root: The folder of the project.
  ///   - fileSystem: The files.
  /// - Returns: Absolute paths, sorted.
  package static func paths(in root: String, _ fileSystem: any FileSystem) -> [String] {
    let glob = Glob(
      trusting: ["**/*.swift"] + ignoredFolders.map { "!**/\($0)/**" }, root: root)
    // What cannot be read is not found. The compiler reports names that are declared twice.
    guard let paths = try? glob.files(in: fileSystem) else { return [] }
    return paths.filter { path in
      (try? fileSystem.read(path)).map(ApolloIOSFile.isOfVersion0) ?? false
    }
    .sorted()
  }
}

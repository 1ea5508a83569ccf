/// Files in the output folders that earlier runs may have left: those of killed runs, and those
/// that are no longer generated.
///
/// The search goes by names only. ``OutputWriter`` checks whether the generator wrote a file.
struct Leftovers {
  private let configuration: ApolloCodegenConfiguration
  private let root: String
  private let includesGenerated: Bool

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - configuration: The output folders, and whether files that are no longer generated count.
  ///   - root: The folder that relative paths are relative to.
  ///   - takesOver: `true` if they count in any case.
  init(_ configuration: ApolloCodegenConfiguration, root: String, takesOver: Bool) {
    self.configuration = configuration
    self.root = root
    includesGenerated = takesOver || configuration.options.pruneGeneratedFiles
  }

  /// Searches the output folders.
  ///
  /// - Returns: Absolute paths, sorted and without duplicates.
  func paths(in fileSystem: any FileSystem) throws(DiskError) -> [String] {
    var found = Set(try search(configuredFolders, fileSystem))
    // Searched separately, because folders that are excluded here are not excluded above.
    if case .relative(let subpath, _) = configuration.output.operations {
      found.formUnion(try search(operationFolders(subpath), fileSystem))
    }
    return found.sorted()
  }

  private func search(
    _ folders: [String], _ fileSystem: any FileSystem
  ) throws(DiskError) -> [String] {
    var names = [FileTransaction.remainderPattern]
    if includesGenerated { names.append("*.graphql.swift") }
    let patterns = folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
    return try Glob(trusting: patterns, root: root).files(in: fileSystem)
  }

  private var configuredFolders: [String] {
    var folders = [Path.join(root, configuration.output.schemaTypes.path)]
    if case .absolute(let path, _) = configuration.output.operations {
      folders.append(Path.join(root, path))
    }
    OutputFolders(configuration, root: root).mocks.map { folders.append($0) }
    return folders.map { $0 + "/**" }
  }

  /// Returns the folders of files beside operations; `!` in front excludes one.
  private func operationFolders(_ subpath: String?) -> [String] {
    let patterns = configuration.input.operationSearchPaths.flatMap(Glob.alternatives(of:))
    return patterns.compactMap { pattern in
      let excludes = pattern.hasPrefix("!")
      let path = Path.join(root, excludes ? String(pattern.dropFirst()) : pattern)
      let name = Path.name(of: path)
      // A folder is excluded if all of its operations are: its files belong to another module. The
      // exclusion of a single operation does not exclude its folder.
      if excludes, !["**", "*", "*.*", "*.graphql"].contains(name) { return nil }
      let folder = name == "**" ? path : Path.parent(of: path)
      return (excludes ? "!" : "") + (subpath.map { Self.join(folder, $0) } ?? folder)
    }
  }

  /// Joins paths as `Path.join` does, for a folder that may end in `**`, which matches its own
  /// parents too.
  private static func join(_ folder: String, _ subpath: String) -> String {
    guard folder.hasSuffix("/**"), subpath.hasPrefix("../") else {
      return Path.join(folder, subpath)
    }
    return join(folder, String(subpath.dropFirst(3)))
  }
}

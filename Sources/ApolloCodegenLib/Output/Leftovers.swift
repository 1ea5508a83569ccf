/// Files in the output folders that earlier runs may have left: what killed ones did not finish, and what is not generated any
/// more. Whose they are is not looked at here.
struct Leftovers {
  private let configuration: ApolloCodegenConfiguration
  private let root: String

  /// `nil` when the run does not write code to the configured folders.
  init?(of request: GenerationRequest) {
    guard request.combined == nil, request.items.contains(.code) else { return nil }
    configuration = request.configuration
    root = request.root
  }

  /// Searches the output folders.
  ///
  /// - Returns: Absolute paths, sorted and without duplicates.
  func paths(in fileSystem: any FileSystem) throws(DiskError) -> [String] {
    var found = Set(try search(foldersOfOurOwn, fileSystem))
    // Apart from the others, because what is excluded here is not excluded there.
    if case .relative(let subpath, _) = configuration.output.operations {
      found.formUnion(try search(foldersOfOperations(subpath), fileSystem))
    }
    return found.sorted()
  }

  private func search(
    _ folders: [String], _ fileSystem: any FileSystem
  ) throws(DiskError) -> [String] {
    var names = [FileTransaction.remainders]
    if configuration.options.pruneGeneratedFiles { names.append("*.graphql.swift") }
    let patterns = folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
    return try Glob(trusting: patterns, root: root).files(in: fileSystem)
  }

  private var foldersOfOurOwn: [String] {
    var folders = [Path.join(root, configuration.output.schemaTypes.path)]
    if case .absolute(let path, _) = configuration.output.operations {
      folders.append(Path.join(root, path))
    }
    OutputFolders(configuration, root: root).mocks.map { folders.append($0) }
    return folders.map { $0 + "/**" }
  }

  /// The folders that files beside the operations are in; a `!` in front of one means that they are not there.
  private func foldersOfOperations(_ subpath: String?) -> [String] {
    let patterns = configuration.input.operationSearchPaths.flatMap(Glob.alternatives(of:))
    return patterns.compactMap { pattern in
      let excludes = pattern.hasPrefix("!")
      let path = Path.join(root, excludes ? String(pattern.dropFirst()) : pattern)
      let name = Path.name(of: path)
      // A folder is left out where all its operations are: what is there belongs to another module. One operation that is
      // left out says nothing about its folder.
      if excludes, !["**", "*", "*.*", "*.graphql"].contains(name) { return nil }
      let folder = name == "**" ? path : Path.parent(of: path)
      return (excludes ? "!" : "") + (subpath.map { Self.join(folder, $0) } ?? folder)
    }
  }

  /// `Path.join` for a folder that may end in `**`, which stands for its own parents too.
  private static func join(_ folder: String, _ subpath: String) -> String {
    guard folder.hasSuffix("/**"), subpath.hasPrefix("../") else {
      return Path.join(folder, subpath)
    }
    return join(folder, String(subpath.dropFirst(3)))
  }
}

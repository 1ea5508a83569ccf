/// Files in the output folders that earlier runs may have left: those of killed runs, and those
/// that are no longer generated.
///
/// The search goes by names only. ``OutputWriter`` checks whether the generator wrote a file.
struct Leftovers {
  private let configuration: ApolloCodegenConfiguration
  private let root: String
  private let includesGenerated: Bool
  private let includesManifest: Bool

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
    // A manifest of Apollo iOS has no mark. The one in the module's folder can be the user's.
    includesManifest = includesGenerated && !takesOver
  }

  /// Searches the output folders.
  ///
  /// - Returns: Absolute paths, sorted and without duplicates.
  func paths(in fileSystem: any FileSystem) throws(DiskError) -> [String] {
    var found: Set<String> = []
    for folder in configuredFolders {
      let glob = Glob(trusting: names.map { "**/\($0)" }, root: folder)
      found.formUnion(try glob.files(in: fileSystem))
    }
    // Searched separately, because folders that are excluded here are not excluded above.
    if case .relative(let subpath, _) = configuration.output.operations {
      found.formUnion(try besideOperations(subpath ?? "").files(in: fileSystem))
    }
    // The manifest of a module that was a package. The target with the folder would compile it.
    if includesManifest {
      found.insert("\(OutputFolders(configuration, root: root).module)/Package.swift")
    }
    return found.sorted()
  }

  /// The patterns of the names.
  private var names: [String] {
    [FileTransaction.remainderPattern] + (includesGenerated ? ["*.graphql.swift"] : [])
  }

  private var configuredFolders: [String] {
    let folders = OutputFolders(configuration, root: root)
    var found = [folders.module]
    if case .absolute(let path, _) = configuration.output.operations {
      found.append(Path.join(root, path))
    }
    folders.mocks.map { found.append($0) }
    return found
  }

  /// Returns the search for files beside operations.
  ///
  /// The files of a folder belong to another module if an exclusion covers all operations that one
  /// of the search paths finds there. An exclusion of some operations, such as `Draft*.graphql`,
  /// does not exclude their folder.
  private func besideOperations(_ subpath: String) -> Glob {
    let patterns = configuration.input.operationSearchPaths.flatMap(Glob.alternatives(of:))
    let included = patterns.filter { !$0.hasPrefix("!") }.map { Glob.Pattern($0, root: root) }
    // Also for search paths such as `*.graphql*`: most operations end in `.graphql`.
    let searched = included.compactMap(\.components.last) + ["*.graphql"]
    let excluded = patterns.filter { $0.hasPrefix("!") }.map {
      Glob.Pattern($0.dropFirst(), root: root).includingFolder
    }.filter { pattern in
      guard let name = pattern.components.last else { return false }
      // An exclusion covers a search path if it matches the path's text. Each `*` of the text is
      // replaced by so many characters that only a `*` of the exclusion can match them.
      let anyText = String(repeating: "*", count: name.count + 1)
      return searched.contains { Glob.matches($0.replacing("*", with: anyText), name) }
    }
    return Glob(
      including: included.flatMap { files(beside: $0, subpath) },
      excluding: excluded.flatMap { files(beside: $0, subpath) })
  }

  /// Returns the patterns of the files that are generated beside those of `operations`.
  private func files(beside operations: Glob.Pattern, _ subpath: String) -> [Glob.Pattern] {
    var folder = operations
    if subpath.hasPrefix("/") {
      folder = Glob.Pattern("", root: subpath)
    } else {
      if folder.components.last != "**" { folder.removeLast() }
      let path = subpath.split(separator: "/").map(String.init)
      // `**` matches its own parents too.
      let isDeep = folder.components.last == "**"
      folder.append(isDeep ? path.drop { [".", ".."].contains($0) } : path[...])
    }
    return names.map { name in
      var files = folder
      files.append([name])
      return files
    }
  }
}

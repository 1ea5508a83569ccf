extension UserFiles {
  /// Reads the user's files of the module that a configuration describes.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - root: The folder that relative paths are relative to.
  ///   - combined: An output that takes the place of the configured one. Then the files are among
  ///     the own sources that it names.
  ///   - fileSystem: The file system.
  /// - Returns: The files.
  static func read(
    _ configuration: ApolloCodegenConfiguration, root: String, into combined: CombinedOutput? = nil,
    _ fileSystem: any FileSystem
  ) -> UserFiles {
    let layout = ModuleLayout(configuration)
    let namespace = layout.isEmbedded ? layout.namespace : nil
    guard let combined else {
      let folders = OutputFolders(configuration, root: root)
      func hasFiles(_ folder: String) -> Bool {
        fileSystem.kind(of: "\(folder)/Schema/SchemaConfiguration.swift") != nil
      }
      // The files that this run moves are still in the former folder.
      let isMoved = !hasFiles(folders.schema) && hasFiles(folders.formerSchema)
      return read(
        in: isMoved ? folders.formerSchema : folders.schema,
        embeddedIn: namespace.map { (folder: root, namespace: $0) }, fileSystem)
    }
    guard let ownSources = combined.ownSources else { return .none }
    return read(inTarget: Path.join(root, ownSources), namespace: namespace, fileSystem)
  }
}

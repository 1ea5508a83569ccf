extension UserFiles {
  /// Reads the user's files of the module that a configuration describes.
  static func read(
    _ configuration: ApolloCodegenConfiguration, root: String, _ fileSystem: any FileSystem
  ) -> UserFiles {
    let layout = ModuleLayout(configuration)
    return read(
      in: OutputFolders(configuration, root: root).schema,
      embeddedIn: layout.isEmbedded ? (folder: root, namespace: layout.namespace) : nil,
      fileSystem)
  }
}

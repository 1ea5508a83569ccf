/// One run of the generator: a configuration without problems, and the files to make from it.
struct GenerationRequest {
  let configuration: ApolloCodegenConfiguration
  /// The folder that relative paths are relative to.
  let root: String
  let items: Generator.Items
  /// The folder for two files that take the place of the configured output.
  let combined: CombinedOutput?
  /// Computes the identifiers of operations, unless they are hashes.
  let identify: OperationIdentifierProvider?
  /// `true` if the run only finds out what it would write.
  var isDryRun = false
  /// `true` if the files of Apollo iOS are replaced.
  var takesOver = false

  /// Checks the configuration.
  ///
  /// - Throws: ``GenerationError`` with every problem of the configuration.
  init(
    _ configuration: ApolloCodegenConfiguration, root: String, items: Generator.Items,
    combined: CombinedOutput?, identify: OperationIdentifierProvider?
  ) throws(GenerationError) {
    var problems = configuration.problems
    if combined != nil { problems += configuration.problemsOfCombinedOutput }
    if items.contains(.operationManifest), configuration.operationManifest == nil {
      problems.append(
        .init(.missing(.manifest), at: "operationManifest"))
    }
    guard problems.isEmpty else {
      throw GenerationError(.configuration(ConfigurationError(problems: problems)))
    }
    let alsoManifest =
      combined == nil && configuration.operationManifest?.generateManifestOnCodeGeneration == true
    self.configuration = configuration
    self.root = root
    self.items = alsoManifest ? items.union(.operationManifest) : items
    self.combined = combined
    self.identify = identify
  }
}

// MARK: - Output

extension GenerationRequest {
  /// `true` if the run writes code to the configured folders.
  private var writesConfiguredFolders: Bool { combined == nil && items.contains(.code) }

  /// The folders that the run may write to.
  var writtenFolders: [String] {
    let folders = OutputFolders(configuration, root: root)
    var written = writesConfiguredFolders ? folders.all : []
    if let combined { written = [Path.join(root, combined.folder)] }
    if items.contains(.operationManifest), let manifest = folders.manifest {
      written.append(Path.parent(of: manifest))
    }
    return written
  }

  /// The files that earlier runs may have left, or `nil` if the run does not remove any.
  var leftovers: Leftovers? {
    writesConfiguredFolders ? Leftovers(configuration, root: root, takesOver: takesOver) : nil
  }
}

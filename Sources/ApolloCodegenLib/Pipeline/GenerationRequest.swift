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

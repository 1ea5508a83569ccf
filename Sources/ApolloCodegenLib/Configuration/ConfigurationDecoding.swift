import GraphQLSyntax

extension ApolloCodegenConfiguration {
  /// Reads a configuration from the text of an `apollo-codegen-config.json`.
  ///
  /// Every key of Apollo iOS 1.x and 2.x is known. An unknown key is an error that names the
  /// nearest known one, so that a misspelt option is never ignored.
  ///
  /// - Parameter text: The JSON text. Trailing commas are allowed.
  /// - Throws: ``ConfigurationError`` with every problem.
  public init(json text: String) throws(ConfigurationError) {
    var warnings: [ConfigurationProblem] = []
    try self.init(json: text, warnings: &warnings)
  }

  /// Reads a configuration, and reports the keys that have no effect any more.
  ///
  /// - Parameters:
  ///   - text: The JSON text.
  ///   - warnings: Receives a problem for each key without effect.
  /// - Throws: ``ConfigurationError`` with every problem.
  public init(
    json text: String, warnings: inout [ConfigurationProblem]
  ) throws(ConfigurationError) {
    try self.init(json: Array(text.utf8), warnings: &warnings)
  }

  /// Reads a configuration from the bytes of a file, whose encoding can be another than UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - warnings: Receives a problem for each key without effect.
  /// - Throws: ``ConfigurationError`` with every problem.
  package init(
    json bytes: [UInt8], warnings: inout [ConfigurationProblem]
  ) throws(ConfigurationError) {
    let json: IndexedJSON
    do {
      json = try IndexedJSON(bytes, style: .written)
    } catch {
      let (line, column) = error.position(in: bytes)
      throw ConfigurationError(problems: [
        .init(.notJSON(line: line, column: column, message: error.message), at: "")
      ])
    }
    let problems = ConfigurationReader.Problems()
    let configuration = ConfigurationReader(json.root, path: "", problems: problems)
      .flatMap(Self.init(reading:))
    warnings = problems.warnings
    guard let configuration, problems.found.isEmpty else {
      throw ConfigurationError(problems: problems.found)
    }
    self = configuration
  }

  private init?(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.root.names)
    let namespace = reader.string("schemaNamespace") ?? reader.string("schemaName")
    if namespace == nil, !reader.has("schemaNamespace"), !reader.has("schemaName") {
      reader.report(.missing(.moduleName), at: "schemaNamespace")
    }
    if !reader.has("output") {
      reader.report(.missing(.output), at: "output")
    }
    let input = reader.object("input").map(Input.init(reading:)) ?? Input()
    let output = reader.object("output").flatMap(Output.init(reading:))
    var options = reader.object("options").map(Options.init(reading:)) ?? Options()
    reader.object("options").map { options.readLegacy($0) }
    let download = (reader.object("schemaDownload") ?? reader.object("schemaDownloadConfiguration"))
      .flatMap(SchemaDownload.init(reading:))
    let severities = reader.object("ruleSeverities").map(RuleSeverities.init(reading:))
    let experimental = reader.object("experimentalFeatures")
      .map(ExperimentalFeatures.init(reading:))
    let manifest =
      (reader.object("operationManifest")
      ?? reader.object("output")?.object("operationManifest"))
      .flatMap(OperationManifest.init(reading:))
      ?? reader.object("output")?.string("operationIdentifiersPath").map(
        OperationManifest.init(identifiersPath:))
    guard let namespace, let output else { return nil }
    self.init(schemaNamespace: namespace, input: input, output: output)
    self.options = options
    self.experimentalFeatures = experimental ?? ExperimentalFeatures()
    ruleSeverities = severities?.severities ?? [:]
    schemaDownload = download
    operationManifest = manifest
  }
}

extension ApolloCodegenConfiguration.Input {
  fileprivate init(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.input.names)
    self.init()
    if let paths = reader.strings("schemaSearchPaths") {
      schemaSearchPaths = paths
    } else if let path = reader.string("schemaPath") {
      schemaSearchPaths = [path]
    }
    if let paths = reader.strings("operationSearchPaths") { operationSearchPaths = paths }
  }
}

extension ApolloCodegenConfiguration.Output {
  fileprivate init?(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.output.names)
    guard let types = reader.object("schemaTypes") else {
      reader.report(.missing(.schemaTypes), at: "schemaTypes")
      return nil
    }
    let schemaTypes = ApolloCodegenConfiguration.SchemaTypes(reading: types)
    let operations = ApolloCodegenConfiguration.Operations(reading: reader)
    let mocks = ApolloCodegenConfiguration.TestMocks(reading: reader)
    guard let schemaTypes else { return nil }
    self.init(schemaTypes: schemaTypes)
    if let operations { self.operations = operations }
    if let mocks { testMocks = mocks }
  }
}

extension ApolloCodegenConfiguration.SchemaTypes {
  fileprivate init?(reading reader: ConfigurationReader) {
    reader.allow(ConfigurationKeys.schemaTypes.names)
    let path = reader.string("path")
    if !reader.has("path") { reader.report(.missing(.folder), at: "path") }
    if !reader.has("moduleType") {
      reader.report(.missing(.moduleType), at: "moduleType")
    }
    let known = ["embeddedInTarget", "swiftPackage", "swiftPackageManager", "other"]
    guard let (name, values) = reader.variant("moduleType", known) else { return nil }
    let type: ApolloCodegenConfiguration.ModuleType
    switch name {
    case "embeddedInTarget":
      values.allow(["name", "accessModifier"])
      guard let target = values.string("name") else {
        values.report(.missing(.target), at: "name")
        return nil
      }
      type = .embeddedInTarget(name: target, accessModifier: values.access(default: .internal))
    case "other":
      values.allow([])
      type = .other
    default:
      values.allow(["apolloSDKDependency"])
      let dependency =
        values.object("apolloSDKDependency")
        .map(ApolloCodegenConfiguration.SDKDependency.init(reading:)) ?? .init()
      if dependency.isAssumed {
        values.warn(
          .assumedRuntime(isOfApolloIOS: dependency.isOfApolloIOS), at: "apolloSDKDependency")
      }
      type = .swiftPackage(dependency: dependency)
    }
    guard let path else { return nil }
    self.init(path: path, moduleType: type)
  }
}

extension ApolloCodegenConfiguration.SDKDependency {
  fileprivate init(reading reader: ConfigurationReader) {
    reader.allow(["url", "sdkVersion"])
    self.init(url: reader.string("url"))
    let known = ["default", "branch", "commit", "exact", "from", "local"]
    guard let node = reader.node("sdkVersion") else { return }
    // Both `{"from": "1.0.0"}` and `{"from": {"version": "1.0.0"}}` are in use.
    guard
      let (name, values) = reader.variant(
        of: node, at: reader.path(to: "sdkVersion"), known, keyOfText: Self.argument)
    else { return }
    guard name != "default" else {
      values.allow([])
      return
    }
    let argument = Self.argument(of: name)
    values.allow([argument])
    guard let value = values.string(argument) else {
      values.report(.missing(.any), at: argument)
      return
    }
    switch name {
    case "branch": version = .branch(value)
    case "commit": version = .commit(value)
    case "exact": version = .exact(value)
    case "from": version = .from(value)
    default: version = .local(path: value)
    }
  }

  private static func argument(of name: String) -> String {
    switch name {
    case "branch": "name"
    case "commit": "hash"
    case "local": "path"
    default: "version"
    }
  }
}

extension ApolloCodegenConfiguration.Operations {
  fileprivate init?(reading reader: ConfigurationReader) {
    let known = ["inSchemaModule", "relative", "absolute"]
    guard let (name, values) = reader.variant("operations", known) else { return nil }
    switch name {
    case "relative":
      values.allow(["subpath", "accessModifier"])
      // The subpath is always relative to the operation's folder, so a leading slash has no
      // meaning.
      let subpath = values.string("subpath").map { String($0.drop { $0 == "/" }) }
      self = .relative(
        subpath: subpath?.isEmpty == true ? nil : subpath,
        accessModifier: values.access(default: .public))
    case "absolute":
      values.allow(["path", "accessModifier"])
      guard let path = values.string("path") else {
        values.report(.missing(.folder), at: "path")
        return nil
      }
      self = .absolute(path: path, accessModifier: values.access(default: .public))
    default:
      values.allow([])
      self = .inSchemaModule
    }
  }
}

extension ApolloCodegenConfiguration.TestMocks {
  fileprivate init?(reading reader: ConfigurationReader) {
    guard let (name, values) = reader.variant("testMocks", ["none", "absolute", "swiftPackage"])
    else { return nil }
    switch name {
    case "absolute":
      values.allow(["path", "accessModifier"])
      guard let path = values.string("path") else {
        values.report(.missing(.folder), at: "path")
        return nil
      }
      self = .absolute(path: path, accessModifier: values.access(default: .public))
    case "swiftPackage":
      values.allow(["targetName"])
      self = .swiftPackage(targetName: values.string("targetName"))
    default:
      values.allow([])
      self = .none
    }
  }
}

extension ConfigurationReader {
  fileprivate func access(
    default value: ApolloCodegenConfiguration.AccessModifier
  ) -> ApolloCodegenConfiguration.AccessModifier {
    choice("accessModifier", ApolloCodegenConfiguration.AccessModifier.self) ?? value
  }
}

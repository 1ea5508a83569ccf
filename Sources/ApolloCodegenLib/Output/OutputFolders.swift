/// The folders and paths that a configuration specifies. All are absolute and normalized.
struct OutputFolders {
  let configuration: ApolloCodegenConfiguration
  let root: String

  init(_ configuration: ApolloCodegenConfiguration, root: String) {
    self.configuration = configuration
    self.root = root
  }

  /// The folder of the schema module, with its `Package.swift` if it is a package.
  var module: String { Path.join(root, configuration.output.schemaTypes.path) }

  /// The folder of the schema module's sources.
  var schema: String {
    guard case .swiftPackage = configuration.output.schemaTypes.moduleType else { return module }
    return module + "/Sources"
  }

  /// The folder of the schema module's sources before `moduleType` was changed to `swiftPackage`,
  /// or from it.
  var formerSchema: String { schema == module ? module + "/Sources" : module }

  /// The folder of the mocks, or `nil` if there are none.
  var mocks: String? {
    switch configuration.output.testMocks {
    case .none: nil
    case .absolute(let path, _): Path.join(root, path)
    case .swiftPackage: PackageManifest.mocksTarget(configuration).map { "\(module)/\($0)" }
    }
  }

  /// The path of the operation manifest, or `nil` if there is none.
  var manifest: String? {
    configuration.operationManifest.map { settings in
      Path.join(root, settings.path.hasSuffix(".json") ? settings.path : settings.path + ".json")
    }
  }

  /// The folders that code may be written to, the schema's first.
  var all: [String] {
    var folders = [module]
    switch configuration.output.operations {
    case .inSchemaModule: break
    case .absolute(let path, _): folders.append(Path.join(root, path))
    case .relative: folders.append(root)
    }
    mocks.map { folders.append($0) }
    return folders
  }
}

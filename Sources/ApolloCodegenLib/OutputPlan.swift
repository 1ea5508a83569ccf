import ApolloIR
import GraphQLSyntax
import SwiftSource

/// Which files a configuration asks for, and where.
struct OutputPlan {
  /// A file, and the name in the source that it was made for, if there is one.
  struct Entry {
    var path: String
    var file: SourceFile
    var ownership = OutputFile.Ownership.generator
    var origin: SourceSpan?
  }

  private(set) var entries: [Entry] = []
  private let renderer: Renderer
  private let root: String
  private let sources: SourceMap
  /// Lower-case names that several files would have.
  private let sharedNames: Set<String>

  private var configuration: ApolloCodegenConfiguration { renderer.configuration }

  init(_ renderer: Renderer, root: String, sources: SourceMap) {
    self.renderer = renderer
    self.root = root
    self.sources = sources
    sharedNames = Self.sharedFileNames(renderer)
    addSchemaTypes()
    addDefinitions()
    addMocks()
  }

  // MARK: - Folders

  /// The folder of the schema module's sources.
  static func schemaFolder(_ configuration: ApolloCodegenConfiguration, root: String) -> String {
    let path = Path.join(root, configuration.output.schemaTypes.path)
    if case .swiftPackage = configuration.output.schemaTypes.moduleType { return path + "/Sources" }
    return path
  }

  /// Every folder that may be written to, the schema's first.
  static func folders(_ configuration: ApolloCodegenConfiguration, root: String) -> [String] {
    var folders = [Path.join(root, configuration.output.schemaTypes.path)]
    switch configuration.output.operations {
    case .inSchemaModule: break
    case .absolute(let path, _): folders.append(Path.join(root, path))
    case .relative: folders.append(root)
    }
    mocksFolder(configuration, root: root).map { folders.append($0) }
    return folders
  }

  /// The folder of the mocks; `nil` when there are none.
  static func mocksFolder(_ configuration: ApolloCodegenConfiguration, root: String) -> String? {
    switch configuration.output.testMocks {
    case .none: return nil
    case .absolute(let path, _): return Path.join(root, path)
    case .swiftPackage:
      let package = Path.join(root, configuration.output.schemaTypes.path)
      return PackageManifest.mocksTarget(configuration).map { "\(package)/\($0)" }
    }
  }

  /// Patterns of files that earlier runs may have left.
  static func leftovers(_ configuration: ApolloCodegenConfiguration, root: String) -> [String] {
    var patterns = ["\(Path.join(root, configuration.output.schemaTypes.path))/**/*.graphql.swift"]
    switch configuration.output.operations {
    case .inSchemaModule: break
    case .absolute(let path, _): patterns.append("\(Path.join(root, path))/**/*.graphql.swift")
    case .relative(let subpath, _):
      for pattern in configuration.input.operationSearchPaths where !pattern.hasPrefix("!") {
        let folder = Path.parent(of: Path.join(root, pattern))
        patterns.append("\(folder)/\(subpath.map { $0 + "/" } ?? "")*.graphql.swift")
      }
    }
    mocksFolder(configuration, root: root).map { patterns.append("\($0)/**/*.graphql.swift") }
    return patterns
  }

  // MARK: - Schema

  /// The compiler refuses two files of one name in a module, whatever their folders. Schema types
  /// then get the suffix of their kind.
  private static func sharedFileNames(_ renderer: Renderer) -> Set<String> {
    let (types, names) = (renderer.program.types, renderer.names)
    var all = renderer.program.definitions.map { names.definition($0) }
    all += types.objects.map { names.schemaType($0.name, .object) }
    all += types.interfaces.map { names.schemaType($0.name, .interface) }
    all += types.unions.map { names.schemaType($0.name, .union) }
    all += types.enums.map { names.schemaType($0.name, .enum) }
    all += types.inputObjects.map { names.schemaType($0.name, .inputObject) }
    all += types.scalars.map { names.schemaType($0.name, .scalar) }
    all += [renderer.layout.namespace, "SchemaMetadata", "SchemaConfiguration"]
    var seen: Set<String> = []
    return Set(all.map { $0.lowercased() }.filter { !seen.insert($0).inserted })
  }

  private mutating func addSchemaTypes() {
    let folder = Self.schemaFolder(configuration, root: root)
    let types = renderer.program.types
    if renderer.layout.isEmbedded {
      add("\(folder)/\(renderer.layout.namespace).graphql.swift", renderer.namespaceFile())
    }
    add("\(folder)/Schema/SchemaMetadata.graphql.swift", renderer.metadataFile())
    add("\(folder)/Schema/SchemaConfiguration.swift", renderer.configurationFile(), .user)
    for type in types.objects { addType("Objects", type.name, .object, renderer.objectFile(type)) }
    for type in types.interfaces {
      addType("Interfaces", type.name, .interface, renderer.interfaceFile(type))
    }
    for type in types.unions { addType("Unions", type.name, .union, renderer.unionFile(type)) }
    for type in types.enums { addType("Enums", type.name, .enum, renderer.enumFile(type)) }
    for type in types.inputObjects {
      addType("InputObjects", type.name, .inputObject, renderer.inputObjectFile(type))
    }
    for type in types.scalars {
      addType("CustomScalars", type.name, .scalar, renderer.scalarFile(type), .user)
    }
  }

  private mutating func addType(
    _ group: String, _ type: String, _ kind: SwiftNames.SchemaTypeKind, _ file: SourceFile,
    _ ownership: OutputFile.Ownership = .generator
  ) {
    let name = renderer.names.schemaType(type, kind)
    let isSuffixed =
      configuration.options.appendSchemaTypeFilenameSuffix
      || sharedNames.contains(name.lowercased())
    let suffix = isSuffixed ? kind.fileSuffix : ""
    let ending = ownership == .user ? "swift" : "graphql.swift"
    let folder = Self.schemaFolder(configuration, root: root)
    add("\(folder)/Schema/\(group)/\(name)\(suffix).\(ending)", file, ownership)
  }

  // MARK: - Operations and fragments

  private mutating func addDefinitions() {
    let structures = Structures(of: renderer.program, renderer.names)
    for definition in renderer.program.definitions {
      let file =
        definition.kind == .fragment
        ? renderer.fragmentFile(definition, structures)
        : renderer.operationFile(definition, structures)
      let name = renderer.names.definition(definition)
      add("\(folder(of: definition))/\(name).graphql.swift", file, origin: definition.span)
    }
  }

  private func folder(of definition: ApolloIR.Definition) -> String {
    let group =
      switch definition.kind {
      case _ where definition.isLocalCacheMutation: "LocalCacheMutations"
      case .fragment: "Fragments"
      case .query: "Operations/Queries"
      case .mutation: "Operations/Mutations"
      case .subscription: "Operations/Subscriptions"
      }
    switch configuration.output.operations {
    case .inSchemaModule: return "\(Self.schemaFolder(configuration, root: root))/\(group)"
    case .absolute(let path, _): return Path.join(root, "\(path)/\(group)")
    case .relative(let subpath, _):
      let source = sources.sources[sources.sourceIndex(at: definition.span.start)].name
      return Path.join(Path.parent(of: Path.join(root, source)), subpath ?? "")
    }
  }

  // MARK: - Mocks

  private mutating func addMocks() {
    guard let mocks = MockRenderer(renderer),
      let folder = Self.mocksFolder(configuration, root: root)
    else { return }
    for type in renderer.program.types.objects {
      add("\(folder)/\(renderer.names.mock(type.name))+Mock.graphql.swift", mocks.file(type))
    }
  }

  private mutating func add(
    _ path: String, _ file: SourceFile, _ ownership: OutputFile.Ownership = .generator,
    origin: SourceSpan? = nil
  ) {
    entries.append(Entry(path: path, file: file, ownership: ownership, origin: origin))
  }
}

extension SwiftNames.SchemaTypeKind {
  var fileSuffix: String {
    switch self {
    case .object: ".object"
    case .interface: ".interface"
    case .union: ".union"
    case .enum: ".enum"
    case .inputObject: ".inputObject"
    case .scalar: ".scalar"
    }
  }
}

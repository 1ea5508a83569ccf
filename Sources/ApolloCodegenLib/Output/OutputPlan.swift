import ApolloHashing
import ApolloIR
import GraphQLSyntax
import SwiftSource

/// The files that a configuration specifies, and their paths. Nothing is rendered yet.
struct OutputPlan {
  struct Entry {
    var path: String
    /// The content. A rendered tree is much larger than its text, so that only one at a time
    /// exists.
    var content: FileContent
    var ownership: OutputFile.Ownership
    /// The paths of a file of the user under other values of `appendSchemaTypeFilenameSuffix` and
    /// of `moduleType`.
    var formerPaths: [String]
    /// `true` if the file belongs to the schema, `false` if it belongs to an operation or a
    /// fragment.
    var isOfSchema: Bool
  }

  private(set) var entries: [Entry] = []
  private var drafts: [Draft] = []
  private let named: NamedProgram
  private let configuration: ApolloCodegenConfiguration
  private let sources: SourceMap
  private let root: String
  private let folders: OutputFolders

  init(
    _ named: NamedProgram, _ configuration: ApolloCodegenConfiguration, _ sources: SourceMap,
    root: String
  ) {
    self.named = named
    self.configuration = configuration
    self.sources = sources
    self.root = root
    folders = OutputFolders(configuration, root: root)
    addSchemaTypes()
    addDefinitions()
    addMocks()
    nameFiles()
  }

  /// Renders the files, with the package manifest of the schema's module if it is a package.
  func files(_ renderer: FileRenderer) -> [OutputFile] {
    var files = entries.map {
      OutputFile(
        path: $0.path, contents: renderer.file($0.content).utf8(), ownership: $0.ownership,
        formerPaths: $0.formerPaths)
    }
    if let manifest = PackageManifest(configuration) {
      files.append(OutputFile(path: "\(folders.module)/Package.swift", text: manifest.text))
    }
    return files
  }

  // MARK: - Schema

  private mutating func addSchemaTypes() {
    let folder = folders.schema
    let types = named.program.types
    if named.layout.isEmbedded {
      add(folder, [named.layout.namespace], .namespace, rank: 0)
    }
    let schema = "\(folder)/Schema"
    add(schema, ["SchemaMetadata"], .metadata, rank: 0)
    add(schema, ["SchemaConfiguration"], .configuration, .user, rank: 0)
    for type in types.objects { addType("Objects", type.name, .object, .object(type)) }
    for type in types.interfaces {
      addType("Interfaces", type.name, .interface, .interface(type))
    }
    for type in types.unions { addType("Unions", type.name, .union, .union(type)) }
    for type in types.enums { addType("Enums", type.name, .enum, .enum(type)) }
    for type in types.inputObjects {
      addType("InputObjects", type.name, .inputObject, .inputObject(type))
    }
    for type in types.scalars {
      addType("CustomScalars", type.name, .scalar, .scalar(type), .user)
    }
    addType("CustomScalars", "ID", .scalar, .identifier, .user)
  }

  private mutating func addType(
    _ group: String, _ type: String, _ kind: SwiftNames.SchemaTypeKind, _ content: FileContent,
    _ ownership: OutputFile.Ownership = .generator
  ) {
    let name = named.names.schemaType(type, kind)
    let isSuffixed = configuration.options.appendSchemaTypeFilenameSuffix
    let names = isSuffixed ? [name + kind.fileSuffix] : [name, name + kind.fileSuffix]
    let folder = "\(folders.schema)/Schema/\(group)"
    add(
      folder, names, content, ownership, rank: 2,
      formerName: isSuffixed ? name : name + kind.fileSuffix)
  }

  // MARK: - Operations and fragments

  private mutating func addDefinitions() {
    for (index, definition) in named.program.definitions.enumerated() {
      let folder = folder(of: definition)
      let isInSchemaModule = isInSchemaModule(folder)
      let content: FileContent =
        definition.kind == .fragment
        ? .fragment(definition, Definition.ID(index), isInSchemaModule: isInSchemaModule)
        : .operation(definition, isInSchemaModule: isInSchemaModule)
      add(folder, [named.names.definition(definition)], content, rank: Draft.definitionRank)
    }
  }

  /// Returns `true` if files in a folder are compiled together with the schema's types.
  ///
  /// Types that are embedded in a target share it with all files below the folder with the target's
  /// name. Internal types can only be used in their own module.
  private func isInSchemaModule(_ folder: String) -> Bool {
    let layout = named.layout
    if layout.operationsAreInSchemaModule { return true }
    guard let target = layout.embeddingTarget else { return false }
    if layout.schemaAccess == .internal { return true }
    let schema = folders.schema
    let components = schema.split(separator: "/")
    let ofTarget = components.lastIndex { $0 == target }.map {
      "/" + components[...$0].joined(separator: "/")
    }
    return Path.isInside(folder, ofTarget ?? schema)
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
    case .inSchemaModule: return "\(folders.schema)/\(group)"
    case .absolute(let path, _): return Path.join(root, "\(path)/\(group)")
    case .relative(let subpath, _):
      let source = sources.sources[sources.sourceIndex(at: definition.span.start)].name
      return Path.join(Path.parent(of: Path.join(root, source)), subpath ?? "")
    }
  }

  // MARK: - Mocks

  private mutating func addMocks() {
    guard let folder = folders.mocks else { return }
    for type in named.program.types.objects {
      add(folder, ["\(named.names.mock(type.name))+Mock"], .mock(type), rank: 2)
    }
  }

  // MARK: - Names of files

  /// A file without a final name.
  private struct Draft {
    var folder: String
    /// The names that the file can have, without endings, the best first.
    var names: [String]
    /// The rank of the claim to the first name; see ``UniqueNames/Wish``.
    var rank: Int
    var content: FileContent
    var ownership: OutputFile.Ownership
    /// The name of the file under the other value of `appendSchemaTypeFilenameSuffix`.
    var formerName: String?

    static let definitionRank = 1

    var ending: String { ownership == .user ? "swift" : "graphql.swift" }
  }

  private mutating func add(
    _ folder: String, _ names: [String], _ content: FileContent,
    _ ownership: OutputFile.Ownership = .generator, rank: Int, formerName: String? = nil
  ) {
    drafts.append(
      Draft(
        folder: folder, names: names.map(Self.shortened), rank: rank, content: content,
        ownership: ownership, formerName: formerName.map(Self.shortened)))
  }

  /// Assigns unique names to all files.
  ///
  /// The compiler rejects two files of one name in a module, whatever their folders. A file system
  /// that ignores letter case would overwrite one with the other. Files of operations and fragments
  /// keep the names of their types; those of schema types change.
  private mutating func nameFiles() {
    for ownership in [OutputFile.Ownership.generator, .user] {
      let drafts = drafts.filter { $0.ownership == ownership }
      let wishes = drafts.map { UniqueNames.Wish(names: $0.names, rank: $0.rank) }
      for (draft, name) in zip(drafts, UniqueNames.assign(wishes, ignoringCase: true)) {
        let path = "\(draft.folder)/\(name).\(draft.ending)"
        entries.append(
          Entry(
            path: path, content: draft.content, ownership: ownership,
            formerPaths: formerPaths(of: draft, named: name),
            isOfSchema: draft.rank != Draft.definitionRank))
      }
    }
    drafts = []
  }

  /// Returns the paths that a file of the user had under other options, those of the present folder
  /// first.
  private func formerPaths(of draft: Draft, named name: String) -> [String] {
    guard draft.ownership == .user else { return [] }
    let group = draft.folder.dropFirst(folders.schema.count)
    let names = [name] + (draft.formerName.map { [$0] } ?? [])
    let paths = [draft.folder, "\(folders.formerSchema)\(group)"].flatMap { folder in
      names.map { "\(folder)/\($0).\(draft.ending)" }
    }
    return Array(paths.dropFirst())  // the first is the present path
  }

  /// Shortens a name, because file systems limit names to 255 bytes. The hash at its end keeps it
  /// unique.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    return "\(name.prefix(180))_\(SHA256.hexadecimalHash(of: name).prefix(16))"
  }
}

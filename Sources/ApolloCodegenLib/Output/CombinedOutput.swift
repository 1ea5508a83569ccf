import SwiftSource

/// What a build plugin wants: files whose names are known before anything is read.
///
/// A build system has to be told what a step makes before the step runs, and what the generator makes otherwise depends on the
/// schema and the operations. Here it is always the same two files, ``schemaFile`` and ``operationsFile``.
public struct CombinedOutput: Hashable, Sendable {
  /// The name of the file with the schema's types.
  public static let schemaFile = "Schema.graphql.swift"
  /// The name of the file with operations and fragments.
  public static let operationsFile = "Operations.graphql.swift"

  /// The folder that the two files are written to; relative paths are relative to the root folder.
  public var folder: String
  /// The folder that holds the user's own sources of the same module, if there are any.
  ///
  /// `SchemaConfiguration.swift` and the files of custom scalars are the user's to change. Where one of them is found here, at
  /// any depth, it is used; otherwise what the generator starts them with is part of ``schemaFile``.
  public var ownSources: String?

  /// Names the folders.
  public init(folder: String, ownSources: String? = nil) {
    self.folder = folder
    self.ownSources = ownSources
  }

  /// Combines all files of `plan` into two.
  func files(
    _ plan: OutputPlan, root: String, _ fileSystem: any FileSystem
  ) throws(GenerationError) -> [OutputFile] {
    let own: Set<String>
    do { own = try ownFileNames(root, fileSystem) } catch { throw GenerationError(.reading(error)) }
    var (schema, operations) = (CombinedFile(), CombinedFile())
    for entry in plan.entries {
      if entry.ownership == .user, own.contains(Path.name(of: entry.path)) { continue }
      if entry.isOfSchema { schema.add(entry.file) } else { operations.add(entry.file) }
    }
    let folder = Path.join(root, folder)
    return [
      OutputFile(path: "\(folder)/\(Self.schemaFile)", text: schema.text),
      OutputFile(path: "\(folder)/\(Self.operationsFile)", text: operations.text),
    ]
  }

  private func ownFileNames(
    _ root: String, _ fileSystem: any FileSystem
  ) throws(DiskError) -> Set<String> {
    guard let ownSources else { return [] }
    let files = try Glob(trusting: ["\(Path.join(root, ownSources))/**/*.swift"], root: root)
      .files(in: fileSystem)
    return Set(files.map(Path.name))
  }
}

/// Several Swift files in one.
private struct CombinedFile {
  private var imports: Set<String> = []
  private var declarations: [Declaration] = []

  mutating func add(_ file: SourceFile) {
    imports.formUnion(file.imports)
    declarations += file.declarations
  }

  var text: String {
    SourceFile(
      header: [Renderer.header], imports: imports.sorted(), declarations: declarations
    ).text()
  }
}

extension ApolloCodegenConfiguration {
  /// The problems of a configuration whose output is combined.
  var problemsOfCombinedOutput: [ConfigurationProblem] {
    guard output.operations != .inSchemaModule else { return [] }
    return [
      .init(
        path: "output.operations",
        message: "The schema's types and the operations are combined in one module here. "
          + "Set it to { \"inSchemaModule\": {} }.")
    ]
  }
}

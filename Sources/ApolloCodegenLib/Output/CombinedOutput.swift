import SwiftSource

/// An output of two files with fixed names, for build plugins.
///
/// A build system must know the outputs of a step before the step runs. Usually the generated files
/// depend on the schema and the operations. With a combined output they are always ``schemaFile``
/// and ``operationsFile``.
///
/// ```swift
/// let output = CombinedOutput(folder: "/build/Generated", ownSources: "Sources/App")
/// let report = try generator.generate(into: output)
/// ```
public struct CombinedOutput: Hashable, Sendable {
  /// The name of the file with the schema's types.
  public static let schemaFile = "Schema.graphql.swift"
  /// The name of the file with operations and fragments.
  public static let operationsFile = "Operations.graphql.swift"

  /// The folder that the two files are written to; relative paths are relative to the root folder.
  public var folder: String
  /// The folder of the user's own sources of the same module, or `nil` if there are none.
  ///
  /// `SchemaConfiguration.swift` and the files of custom scalars belong to the user. If one of them
  /// exists here, at any depth, it is used. Otherwise ``schemaFile`` contains its initial text.
  public var ownSources: String?

  /// Creates an output in a folder.
  public init(folder: String, ownSources: String? = nil) {
    self.folder = folder
    self.ownSources = ownSources
  }

  /// Renders and combines all files of `plan` into two.
  func files(
    _ plan: OutputPlan, _ renderer: FileRenderer, root: String, _ fileSystem: any FileSystem
  ) throws(GenerationError) -> [OutputFile] {
    let own = Set(try ownFiles(root, fileSystem).map(Path.name))
    var (schema, operations) = (CombinedFile(), CombinedFile())
    for entry in plan.entries {
      // A file of the user can have the name that another option gives it.
      let names = ([entry.path] + entry.formerPaths).map(Path.name)
      if entry.ownership == .user, names.contains(where: own.contains) { continue }
      let file = renderer.file(entry.content)
      if entry.isOfSchema { schema.add(file) } else { operations.add(file) }
    }
    let folder = Path.join(root, folder)
    return [
      OutputFile(path: "\(folder)/\(Self.schemaFile)", contents: schema.contents),
      OutputFile(path: "\(folder)/\(Self.operationsFile)", contents: operations.contents),
    ]
  }

  /// Returns the absolute paths of the user's own sources.
  func ownFiles(
    _ root: String, _ fileSystem: any FileSystem
  ) throws(GenerationError) -> [String] {
    guard let ownSources else { return [] }
    // The two files can be among them.
    let outputs = [Self.schemaFile, Self.operationsFile].map { Path.join(root, "\(folder)/\($0)") }
    let glob = Glob(trusting: ["**/*.swift"], root: Path.join(root, ownSources))
    do {
      return try glob.files(in: fileSystem).filter { !outputs.contains($0) }
    } catch {
      throw GenerationError(.reading(error))
    }
  }
}

/// One file with the contents of several Swift files.
private struct CombinedFile {
  private var imports: Set<String> = []
  private var declarations: [Declaration] = []

  mutating func add(_ file: SourceFile) {
    imports.formUnion(file.imports)
    declarations += file.declarations
  }

  var contents: [UInt8] {
    SourceFile(
      header: [GeneratedFile.header], imports: imports.sorted(), declarations: declarations
    ).utf8()
  }
}

extension ApolloCodegenConfiguration {
  /// The problems of a configuration whose output is combined.
  var problemsOfCombinedOutput: [ConfigurationProblem] {
    guard output.operations != .inSchemaModule else { return [] }
    return [
      .init(.separateOperations, at: "output.operations")
    ]
  }
}

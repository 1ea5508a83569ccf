import ApolloCodegenLib
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The generation of GitHub's 100 operations, and the part of it that checks what is sent, in
/// turns.
///
/// The generator parses the texts of all operations and fragments as one document, and validates
/// it. The second workload does the same with the texts of the manifest.
///
/// - Parameter data: The data that holds the schema and the operations.
/// - Returns: The comparison. Its note says which part of the generation the check is.
/// - Throws: ``MissingData``, and the errors of the generator.
@Sendable func sentDocumentCheck(_ data: BenchmarkData) throws -> Comparison {
  let schemaFile = try data.file("github.graphqls").path
  let operations = try data.file("github-100").path + "/*.graphql"
  let project = try GenerationProject(schema: schemaFile, operations: operations)
  let configuration = try ApolloCodegenConfiguration(
    json: """
      {
        "schemaNamespace": "API",
        "input": { "schemaSearchPaths": ["\(schemaFile)"], "operationSearchPaths": ["\(operations)"] },
        "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
        "operationManifest": { "path": "manifest.json", "version": "persistedQueries" }
      }
      """)
  let generator = Generator(configuration, rootFolder: project.folder.path)
  _ = try generator.generate(.operationManifest)
  let texts = try Manifest.read(project.folder.appendingPathComponent("manifest.json")).texts
  let sdl = Source(name: "github.graphqls", bytes: try data.bytes(of: "github.graphqls"))
  let schema = Schema.build([.sdl(sdl)]).schema
  let generation = "generate, without writing"
  let check = "check what is sent"
  return Comparison(
    title: "Check the documents of 100 operations as they are sent",
    baseline: generation,
    workloads: [
      Workload(generation) {
        keep(try generator.changes())
        withExtendedLifetime(project) {}
      },
      Workload(check) {
        var document = Document(names: schema.names)
        let problems = document.parse(Source(name: "sent", bytes: texts))
        let result = validate(
          document, against: schema,
          configuration: ValidationConfiguration(severities: [.noUnusedFragments: .off]))
        guard problems.isEmpty, result.document != nil else { throw InvalidDocuments() }
        keep(result)
      },
    ],
    note: { measurements in
      guard let whole = measurements.first(where: { $0.name == generation }),
        let part = measurements.first(where: { $0.name == check })
      else { return nil }
      let share = part.median / whole.median
      return String(format: "The check is %.1f %% of the generation.", share * 100)
    })
}

/// The manifest of operations.
private struct Manifest: Decodable {
  struct Operation: Decodable { var body: String }
  var operations: [Operation]

  static func read(_ file: URL) throws -> Manifest {
    try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: file))
  }

  /// The texts of all definitions, each once.
  var texts: [UInt8] {
    var known: Set<Substring> = []
    let lines = operations.flatMap { $0.body.split(separator: "\n") }
      .filter { known.insert($0).inserted }
    return Array(lines.joined(separator: "\n").utf8)
  }
}

/// The error for documents that the validator rejects.
private struct InvalidDocuments: Error {}

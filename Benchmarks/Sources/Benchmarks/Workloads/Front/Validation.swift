import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Turning text into a schema, and operations into validated documents.
let validation: [ExperimentMaker] =
  [schemaBuilding] + ["github-100", "github-1000"].map { folder in { try checking(folder, $0) } }

@Sendable private func schemaBuilding(_ data: BenchmarkData) throws -> Comparison {
  let bytes = try data.bytes(of: "github.graphqls")
  return Comparison(
    title: "Parse, build and validate GitHub's schema",
    byteCount: bytes.count,
    baseline: "graphql-js, warm",
    workloads: [
      Workload("GraphQLSchema") {
        // GitHub's schema breaks this rule.
        let options = SchemaOptions(severities: ["DeprecatedImplementations": .warning])
        let source = Source(name: "github.graphqls", bytes: bytes)
        let result = Schema.build([.sdl(source)], options: options)
        guard result.isUsable else { throw InvalidSchema() }
        keep(result)
      },
      .graphQLJS("schema", try data.file("github.graphqls")),
    ])
}

/// Checks all operations of a folder against the schema.
///
/// - Parameters:
///   - folder: The folder with one operation in each file, and the fragments in one file.
///   - data: The data that holds the folder.
/// - Returns: The same work for this package and for graphql-js.
/// - Throws: The error of reading a file.
@Sendable private func checking(_ folder: String, _ data: BenchmarkData) throws -> Comparison {
  let directory = try data.file(folder)
  let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  let sources = try names.map { name in
    Source(name: name, bytes: try Data(contentsOf: directory.appendingPathComponent(name)))
  }
  let sdl = Source(name: "github.graphqls", bytes: try data.bytes(of: "github.graphqls"))
  let schema = Schema.build([.sdl(sdl)]).schema
  return Comparison(
    title: "Parse and validate the operations of \(folder)",
    byteCount: sources.reduce(0) { $0 + $1.count },
    baseline: "graphql-js, warm",
    workloads: [
      Workload("GraphQLValidation") {
        var document = Document(names: schema.names)
        let problems = sources.flatMap { document.parse($0) }
        let result = validate(document, against: schema)
        guard problems.isEmpty, result.document != nil else { throw InvalidOperations() }
        keep(result)
      },
      .graphQLJS("operations", directory, try data.file("github.graphqls")),
    ])
}

/// The error for a valid schema that is rejected.
private struct InvalidSchema: Error {}

/// The error for a valid document that the validator rejects.
private struct InvalidOperations: Error {}

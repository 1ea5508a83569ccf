import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Printing documents and schemas, and comparing schemas.
let printing: [ExperimentMaker] = [
  { data in
    let source = try schemaSource(data)
    var document = Document()
    keep(document.parse(source))
    let parsed = document
    return try comparison("Print GitHub's schema, parsed", "print", data) { keep(parsed.printed()) }
  },
  { data in
    let source = try schemaSource(data)
    return try comparison("Format GitHub's schema", "parseAndPrint", data) {
      keep(source.formatted())
    }
  },
  { data in
    let schema = try schema(data)
    return try comparison("Print GitHub's schema, built", "printSchema", data) {
      keep(schema.printed())
    }
  },
  { data in
    let schema = try schema(data)
    return try comparison("Write GitHub's schema as introspection", "introspect", data) {
      keep(schema.introspection())
    }
  },
  { data in
    let schema = try schema(data)
    let text = try schemaSource(data).text.replacingOccurrences(
      of: "first: Int", with: "firstOnes: Int")
    let changed = Schema.build([.sdl(Source(name: "changed.graphqls", text: text))]).schema
    return try comparison("Compare GitHub's schema with a changed one", "compare", data) {
      keep(changed.changes(since: schema))
    }
  },
]

private func comparison(
  _ title: String, _ task: String, _ data: BenchmarkData, _ work: @escaping () throws -> Void
) throws -> Comparison {
  let file = try data.file("github.graphqls")
  return Comparison(
    title: title,
    byteCount: try data.bytes(of: "github.graphqls").count,
    baseline: "graphql-js, warm",
    workloads: [Workload("GraphQLSyntax, GraphQLSchema", work), .graphQLJS(task, file)])
}

private func schemaSource(_ data: BenchmarkData) throws -> Source {
  Source(name: "github.graphqls", bytes: try data.bytes(of: "github.graphqls"))
}

private func schema(_ data: BenchmarkData) throws -> Schema {
  Schema.build([.sdl(try schemaSource(data))]).schema
}

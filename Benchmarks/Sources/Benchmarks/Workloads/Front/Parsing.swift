import GraphQLSyntax

/// Turning GraphQL source into tokens and into a syntax tree.
let parsing: [ExperimentMaker] = [
  { data in
    let bytes = try data.bytes(of: "github.graphqls")
    let source = Source(name: "github.graphqls", bytes: bytes)
    return Comparison(
      title: "Lex GitHub's schema",
      byteCount: bytes.count,
      baseline: "graphql-js, warm",
      workloads: [
        Workload("GraphQLSyntax") { keep(source.tokenCount) },
        .graphQLJS("lex", try data.file("github.graphqls")),
      ])
  },
  { data in
    let file = try data.file("github.graphqls")
    let bytes = try data.bytes(of: "github.graphqls")
    let text = String(decoding: bytes, as: UTF8.self)
    return Comparison(
      title: "Lex and parse GitHub's schema",
      byteCount: bytes.count,
      baseline: "graphql-js, warm",
      workloads: [
        Workload("GraphQLSyntax") {
          let (document, diagnostics) = Document.parsing(text, name: "github.graphqls")
          guard diagnostics.isEmpty else { throw SyntaxErrors(count: diagnostics.count) }
          keep(document)
        },
        .graphQLJS("parse", file),
      ])
  },
]

/// The error for a document that the parser should accept.
struct SyntaxErrors: Error {
  var count: Int
}

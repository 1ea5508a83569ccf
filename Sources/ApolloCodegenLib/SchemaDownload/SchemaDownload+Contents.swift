package import GraphQLSchema
internal import GraphQLSyntax

extension SchemaDownload.Document {
  /// The input from which the schema is built.
  package var input: SchemaInput {
    switch self {
    case .introspection(let bytes): .introspection(Source(name: "introspection", bytes: bytes))
    case .sdl(let text): .sdl(Source(name: "schema.graphqls", text: text))
    }
  }

  /// Returns the contents of a file with the schema.
  ///
  /// - Parameters:
  ///   - schema: The schema, built from ``input``.
  ///   - format: The format of the file. Introspection has no place for directives that are applied
  ///     in SDL.
  /// - Returns: JSON, which is that of the server if it has sent some, or SDL in the layout of the
  ///   command `format`.
  package func contents(
    _ schema: Schema, as format: ApolloCodegenConfiguration.SchemaDownload.OutputFormat
  ) -> [UInt8] {
    switch (self, format) {
    case (.introspection(let bytes), .json): bytes
    case (.introspection, .sdl): Self.formatted("\(schema.printed())\n")
    case (.sdl, .json): Array(schema.introspection(isWrapped: true).utf8)
    case (.sdl(let text), .sdl): Self.formatted(text)
    }
  }

  private static func formatted(_ text: String) -> [UInt8] {
    let source = Source(name: "schema.graphqls", text: text)
    return Array((source.formatted(options: .drafts).text ?? text).utf8)
  }
}

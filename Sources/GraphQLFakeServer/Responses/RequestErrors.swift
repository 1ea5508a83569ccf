import struct ApolloAPI.JSONWriter
import GraphQLSyntax

extension FakeServerResponse.Part {
  /// The response to a request that is not executed.
  static func requestErrors(
    _ errors: [(message: String, location: SourceLocation?)]
  ) -> FakeServerResponse.Part {
    var writer = JSONWriter()
    writer.raw(#"{"errors":"#)
    writer.writeArray(errors) { writer, error in
      writer.raw(#"{"message":"#)
      writer.write(error.message)
      if let location = error.location {
        writer.raw(#","locations":[{"line":"#)
        writer.write(Int64(location.line))
        writer.raw(#","column":"#)
        writer.write(Int64(location.column))
        writer.raw("}]")
      }
      writer.raw("}")
    }
    writer.raw("}")
    return FakeServerResponse.Part(delay: .zero, body: writer.bytes)
  }
}

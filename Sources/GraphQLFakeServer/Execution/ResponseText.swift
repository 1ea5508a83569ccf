import enum ApolloAPI.JSONValue
import struct ApolloAPI.JSONWriter
import GraphQLSchema
import GraphQLSyntax

/// Writes responses.
///
/// Spec: 7.1, "Response Format". Parts have the form that the proposal for `@defer` and `@stream`
/// had on 2022-08-24.
struct ResponseText {
  private let document: Document

  init(_ document: Document) { self.document = document }

  /// The first part of a response.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - problems: The errors of fields.
  ///   - hasNext: `true` if parts follow, and `nil` for a response without parts.
  /// - Returns: The JSON text.
  func first(_ data: FakeValue, _ problems: [Executor.Problem], hasNext: Bool?) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw(#"{"data":"#)
    data.write(to: &writer)
    write(problems, to: &writer)
    if let hasNext {
      writer.raw(#","hasNext":"#)
      writer.write(hasNext)
    }
    writer.raw("}")
    return writer.bytes
  }

  /// A further part of a response.
  func next(
    _ part: Executor.PendingPart, _ data: FakeValue, _ problems: [Executor.Problem], hasNext: Bool
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw(#"{"incremental":[{"path":"#)
    writer.write(.array(part.path.map(\.json)))
    if let label = part.label {
      writer.raw(#","label":"#)
      writer.write(label)
    }
    switch part.content {
    case .fragment:
      writer.raw(#","data":"#)
      data.write(to: &writer)
    case .item(_, let type, _, _, since: _):
      writer.raw(#","items":"#)
      if case .null = data, type.isNonNull {
        writer.raw("null")
      } else {
        FakeValue.list([data]).write(to: &writer)
      }
    }
    write(problems, to: &writer)
    writer.raw(#"}],"hasNext":"#)
    writer.write(hasNext)
    writer.raw("}")
    return writer.bytes
  }

  private func write(_ problems: [Executor.Problem], to writer: inout JSONWriter) {
    guard !problems.isEmpty else { return }
    writer.raw(#","errors":"#)
    writer.writeArray(problems) { writer, problem in
      let location = document.location(of: problem.span)
      writer.raw(#"{"message":"#)
      writer.write(problem.message)
      writer.raw(#","locations":[{"line":"#)
      writer.write(Int64(location.line))
      writer.raw(#","column":"#)
      writer.write(Int64(location.column))
      writer.raw(#"}],"path":"#)
      writer.write(.array(problem.path.map(\.json)))
      if !problem.extensions.isEmpty {
        writer.raw(#","extensions":"#)
        writer.write(.object(problem.extensions))
      }
      writer.raw("}")
    }
  }
}

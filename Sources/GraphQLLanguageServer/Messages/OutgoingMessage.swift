import GraphQLSyntax

/// A message to the client.
enum OutgoingMessage {
  case response(RequestID?, Result<JSONOutput, RequestError>)
  case notification(method: String, params: JSONOutput)
  case request(id: Int, method: String, params: JSONOutput?)

  /// The content of the message.
  var text: String {
    let members: [(String, JSONOutput)] =
      switch self {
      case .response(let id, .success(let result)):
        [("id", id?.json ?? .null), ("result", result)]
      case .response(let id, .failure(let error)):
        [
          ("id", id?.json ?? .null),
          (
            "error",
            .object([
              ("code", .number(error.code.rawValue)), ("message", .string(error.message)),
            ])
          ),
        ]
      case .notification(let method, let params):
        [("method", .string(method)), ("params", params)]
      case .request(let id, let method, let params):
        [("id", .number(id)), ("method", .string(method))]
          + (params.map { [("params", $0)] } ?? [])
      }
    return JSONOutput.object([("jsonrpc", .string("2.0"))] + members).line
  }
}

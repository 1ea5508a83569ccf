/// What a response says, or why it cannot be read.
@usableFromInline
struct ResponseBody {
  @usableFromInline var data: ResponseObject?
  @usableFromInline var errors: [GraphQLError]?
  @usableFromInline var extensions: [String: JSONValue]?
  @usableFromInline var failure: ResponseError?

  /// The response to an operation.
  @inlinable
  func response<Operation: GraphQLOperation>() throws(ResponseError) -> GraphQLResponse<Operation> {
    if let failure { throw failure }
    return GraphQLResponse(
      data: data.map(Operation.Data.init(__object:)), errors: errors, extensions: extensions,
      source: .server)
  }
}

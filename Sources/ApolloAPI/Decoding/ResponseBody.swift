/// What a response says, or why it cannot be read.
@usableFromInline
struct ResponseBody {
  @usableFromInline var data: ResponseObject?
  @usableFromInline var errors: [GraphQLError]?
  @usableFromInline var extensions: [String: JSONValue]?
  @usableFromInline var failure: ResponseError?
}

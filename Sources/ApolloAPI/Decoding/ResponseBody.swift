/// The contents of a response, or the error that makes it unreadable.
@usableFromInline
struct ResponseBody {
  @usableFromInline var data: ResponseObject?
  @usableFromInline var errors: [GraphQLError]?
  @usableFromInline var extensions: [String: JSONValue]?
  @usableFromInline var failure: ResponseError?
}

/// The meaning of a status that reports a failure, such as 400 or 500, on a response with JSON.
///
/// ```swift
/// let transport = HTTPNetworkTransport(url: url)
/// transport.httpStatusPolicy = .bodyDecides
/// ```
///
/// Servers differ: some use 400 whenever `data` is null, others 500 for each error, with partial
/// data beside it. See the article "Servers" in the documentation of `Apollo`.
public enum HTTPStatusPolicy: Hashable, Sendable {
  /// The response fails with a ``GraphQLHTTPResponseError``, whose `graphQLErrors` and `body` have
  /// what the server says.
  ///
  /// The default, because GraphQL over HTTP requires it: a proxy or a firewall may have written
  /// JSON with such a status, so that only the type `application/graphql-response+json` proves that
  /// a GraphQL server has.
  case strict
  /// A body with `data` or `errors` is the response to the operation, whatever its status is.
  ///
  /// For servers that are known to respond so. Errors of authentication that come with GraphQL
  /// errors are then those of a response as well.
  case bodyDecides
}

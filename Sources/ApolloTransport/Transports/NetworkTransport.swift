/// Sends operations to a server and gives back what it answered.
///
/// A transport knows nothing of caches and of models: it is given an operation and returns JSON
/// text. That makes a fake one for tests easy:
///
/// ```swift
/// final class CannedTransport: NetworkTransport {
///   func send(_ request: OperationRequest) async throws -> NetworkResponse {
///     NetworkResponse(body: Data(#"{"data":{"hero":null}}"#.utf8))
///   }
/// }
/// ```
public protocol NetworkTransport: AnyObject, Sendable {
  /// Sends one query or mutation and waits for the response.
  ///
  /// A mutation is sent at most once, unless whoever configured the transport opted in to more.
  /// Cancelling the task ends the request and frees what it holds.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, ``NetworkError`` when there is no
  ///   complete response, ``GraphQLHTTPResponseError`` when the response is not a GraphQL response,
  ///   ``GraphQLHTTPRequestError`` when nothing was sent.
  func send(_ request: OperationRequest) async throws -> NetworkResponse
}

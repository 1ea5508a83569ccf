public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The answer to one HTTP request: its head, and its body as the chunks arrive.
///
/// Dropping a response whose chunks have not all been read cancels the request.
public struct HTTPResponse: Sendable {
  /// Status and headers.
  public var response: HTTPURLResponse

  /// The decompressed body, in pieces as they came. Buffered without a bound of its own: the
  /// session's limit on response bytes bounds it.
  public var chunks: AsyncThrowingStream<Data, any Error>

  /// A response with a body of your own, such as one for an interceptor to answer by itself.
  public init(response: HTTPURLResponse, chunks: AsyncThrowingStream<Data, any Error>) {
    self.response = response
    self.chunks = chunks
  }

  /// The whole body.
  public func body() async throws -> Data {
    var body = Data()
    for try await chunk in chunks { body.append(chunk) }
    // A stream that is iterated by a cancelled task ends without an error.
    try Task.checkCancellation()
    return body
  }
}

public import ApolloAPI
public import Foundation

/// A GraphQL response as it came, not yet read.
public struct NetworkResponse: Sendable {
  /// The JSON text.
  public var body: Data

  /// The status and the headers, if the response came over HTTP.
  public var http: HTTPDetails?

  /// The URL of the server, if it is known. Errors name it without its secrets.
  public var url: URL?

  /// `true` if further parts of the response may follow. Lists that arrive in parts are not whole
  /// then.
  package var isPartial = false

  /// `true` if a list that arrives in parts has failed, so that it will never be whole.
  package var lacksElements = false

  /// The request that was sent for it, if that is not the caller's own, or the event of a
  /// subscription.
  package var sent: SentRequest?

  /// The position in time of the attempt that it responds to, or `nil` for the latest one.
  package var attempt: UInt64?

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - body: The JSON text.
  ///   - http: The status and the headers, if the response came over HTTP.
  ///   - url: The URL of the server, if it is known.
  public init(body: Data, http: HTTPDetails? = nil, url: URL? = nil) {
    self.body = body
    self.http = http
    self.url = url
  }
}

extension NetworkResponse {
  /// The facts that an error about this response reports.
  package var source: ResponseError.Source? {
    guard http != nil || url != nil else { return nil }
    return ResponseError.Source(
      url: url?.textWithoutSecrets, statusCode: http?.statusCode,
      contentType: http?.headers["content-type"].map {
        HeaderField.printable($0).shortened(to: 100)
      })
  }
}

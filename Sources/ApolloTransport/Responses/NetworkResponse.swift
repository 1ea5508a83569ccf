public import ApolloAPI
public import Foundation

/// A GraphQL response as it came, not yet read.
public struct NetworkResponse: Sendable {
  /// The JSON text.
  public var body: Data

  /// Status and headers, if the response came over HTTP.
  public var http: HTTPDetails?

  /// A response with its JSON text; status and headers only if it came over HTTP.
  public init(body: Data, http: HTTPDetails? = nil) {
    self.body = body
    self.http = http
  }
}

/// The options of one call.
///
/// ```swift
/// let response = try await apollo.fetch(
///   query: SearchQuery(text: "Leia"),
///   requestConfiguration: RequestConfiguration(
///     requestTimeout: .seconds(5), additionalHeaders: ["X-Trace": "7"]))
/// ```
public struct RequestConfiguration: Hashable, Sendable {
  /// The longest time from sending the request to the end of the response.
  ///
  /// `nil` for the transport's own limit.
  public var requestTimeout: Duration?

  /// `true` to write the server's response to the cache.
  public var writeResultsToCache: Bool

  /// The headers of this call, in addition to the transport's.
  public var additionalHeaders: [String: String]

  /// Creates a configuration. The defaults are those of a call without one.
  public init(
    requestTimeout: Duration? = nil, writeResultsToCache: Bool = true,
    additionalHeaders: [String: String] = [:]
  ) {
    self.requestTimeout = requestTimeout
    self.writeResultsToCache = writeResultsToCache
    self.additionalHeaders = additionalHeaders
  }
}

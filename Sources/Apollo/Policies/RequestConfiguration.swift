/// How one call differs from others.
public struct RequestConfiguration: Hashable, Sendable {
  /// The longest time from sending to the end of the answer; `nil` for the transport's own limit.
  public var requestTimeout: Duration?

  /// Whether what the server answers is written to the cache.
  public var writeResultsToCache: Bool

  /// Headers for this call alone.
  public var additionalHeaders: [String: String]

  /// What is not named is as for any other call.
  public init(
    requestTimeout: Duration? = nil, writeResultsToCache: Bool = true,
    additionalHeaders: [String: String] = [:]
  ) {
    self.requestTimeout = requestTimeout
    self.writeResultsToCache = writeResultsToCache
    self.additionalHeaders = additionalHeaders
  }
}

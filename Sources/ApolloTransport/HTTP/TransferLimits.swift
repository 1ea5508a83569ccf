/// How much time and memory one request may take.
///
/// `URLSession` limits how long a connection may stay silent, not how long an answer may take nor
/// how large it may become once it is decompressed. These limits close both gaps.
public struct TransferLimits: Hashable, Sendable {
  /// The longest time from sending a request to the end of its answer. `nil` for no limit.
  public var deadline: Duration?

  /// The most bytes an answer may have after decompression.
  public var maximumResponseByteCount: Int

  /// The most redirects that are followed for one request. They are followed only to the same
  /// origin, and only where the method and the body survive.
  public var maximumRedirectCount: Int

  /// Limits that are generous for GraphQL: two minutes, 128 MiB and five redirects.
  public init(
    deadline: Duration? = .seconds(120),
    maximumResponseByteCount: Int = 128 << 20,
    maximumRedirectCount: Int = 5
  ) {
    self.deadline = deadline
    self.maximumResponseByteCount = maximumResponseByteCount
    self.maximumRedirectCount = maximumRedirectCount
  }
}

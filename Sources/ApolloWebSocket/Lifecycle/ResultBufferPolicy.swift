/// The results of a subscription that wait for a slow consumer.
///
/// Every subscription has a buffer of its own, and a connection is read regardless of how fast they
/// are emptied. A slow consumer therefore costs a bounded amount of memory and delays no other
/// subscription.
public struct ResultBufferPolicy: Hashable, Sendable {
  /// The consequence of a full buffer.
  public enum Overflow: Hashable, Sendable {
    /// The oldest waiting results are dropped, and the subscription reports how many.
    case dropOldest
    /// The subscription fails with the code ``WebSocketError/Code/bufferOverflow``.
    case fail
  }

  /// The greatest number of waiting results.
  public var maximumCount: Int

  /// The greatest number of waiting bytes. A single result may be larger.
  public var maximumByteCount: Int

  /// The consequence of a full buffer.
  public var overflow: Overflow

  /// Creates a policy. By default, the newest 256 results wait, in at most 1 MiB.
  public init(
    maximumCount: Int = 256, maximumByteCount: Int = 1 << 20, overflow: Overflow = .dropOldest
  ) {
    self.maximumCount = maximumCount
    self.maximumByteCount = maximumByteCount
    self.overflow = overflow
  }
}

extension ResultBufferPolicy {
  /// The policy for the parts of one response, none of which can be missing. The limit is that of
  /// responses over HTTP.
  static let wholeResponse = ResultBufferPolicy(
    maximumCount: .max, maximumByteCount: 128 << 20, overflow: .fail)

  /// The error of a buffer that overflows.
  var overflowError: WebSocketError {
    WebSocketError(
      .bufferOverflow, detail: self == .wholeResponse ? "\(maximumByteCount) bytes" : "")
  }
}

/// The rules that detect a connection that is dead without saying so.
public struct KeepAlivePolicy: Hashable, Sendable {
  /// The silence of either side after which a ping is sent, or `nil` to send none.
  ///
  /// A connection on which both sides send needs no pings. One on which only the server sends does:
  /// some proxies close it because the client is silent. They wait 30 seconds or longer.
  public var pingInterval: Duration?

  /// The time that the server has to respond to a ping.
  ///
  /// It begins anew while bytes of a message arrive, because the response may be behind them. The
  /// connections of `URLSession` report only whole messages: allow for the largest one there.
  public var pongTimeout: Duration

  /// The silence after which a server of the legacy protocol is taken for dead, if it has sent its
  /// keep-alive message `ka` twice. The connection waits longer if the server's own interval is
  /// longer: three times that interval.
  ///
  /// Only while a ping is on its way do the bytes of an incomplete message end the silence. Without
  /// a ``pingInterval`` below this time, allow for the largest message.
  public var keepAliveTimeout: Duration

  /// Creates a policy. By default, a dead connection is detected within 30 seconds, or within 40 if
  /// a message was arriving.
  public init(
    pingInterval: Duration? = .seconds(20), pongTimeout: Duration = .seconds(10),
    keepAliveTimeout: Duration = .seconds(30)
  ) {
    self.pingInterval = pingInterval
    self.pongTimeout = pongTimeout
    self.keepAliveTimeout = keepAliveTimeout
  }
}

/// Watches the silence of both sides of one connection.
///
/// | state | any received message | `pingInterval` of silence of either side | `pongTimeout` |
/// | :-- | :-- | :-- | :-- |
/// | `listening` | `listening` | send a ping: `probing` | – |
/// | `probing` | `listening` | – | dead ¹ |
///
/// 1. If bytes of a message have arrived since the ping, or since the last look, `probing` goes on
///    for another `pongTimeout`: the response may be behind them.
///
/// In both states, a server that has sent `ka` twice is dead after `keepAliveTimeout` without a
/// message.
struct KeepAliveStateMachine {
  enum Action: Equatable {
    case sendPing
    case fail(ConnectionFailure.Timeout)
  }

  private enum State {
    case listening
    /// `receivedByteCount` is the number of bytes that had arrived at the last look.
    case probing(until: Duration, receivedByteCount: UInt64)
  }

  private let policy: KeepAlivePolicy
  private var state = State.listening
  private var lastMessage: Duration
  private var lastSending: Duration
  private var lastKeepAlive: Duration?
  private var longestInterval: Duration?

  init(_ policy: KeepAlivePolicy, now: Duration) {
    self.policy = policy
    lastMessage = now
    lastSending = now
  }

  /// Handles a message of this side.
  mutating func sent(now: Duration) { lastSending = now }

  /// Handles a message, or the response to a ping.
  mutating func received(now: Duration) {
    lastMessage = now
    state = .listening
  }

  /// Handles a `ka` message of the legacy protocol, in addition to ``received(now:)``.
  mutating func receivedKeepAlive(now: Duration) {
    if let lastKeepAlive {
      longestInterval = max(longestInterval ?? .zero, now - lastKeepAlive)
    }
    lastKeepAlive = now
  }

  /// Sends a ping now, unless one is on its way.
  mutating func probe(now: Duration, receivedByteCount: UInt64) -> Action? {
    guard case .listening = state else { return nil }
    state = .probing(until: now + policy.pongTimeout, receivedByteCount: receivedByteCount)
    lastSending = now
    return .sendPing
  }

  /// The next time at which ``timePassed(now:receivedByteCount:)`` has something to do.
  var deadline: Duration? {
    guard let keepAliveDeadline, let pingDeadline else { return keepAliveDeadline ?? pingDeadline }
    return min(keepAliveDeadline, pingDeadline)
  }

  private var keepAliveDeadline: Duration? {
    longestInterval.map { lastMessage + max(policy.keepAliveTimeout, $0 * 3) }
  }

  private var pingDeadline: Duration? {
    switch state {
    case .listening: policy.pingInterval.map { min(lastMessage, lastSending) + $0 }
    case .probing(let end, _): end
    }
  }

  mutating func timePassed(now: Duration, receivedByteCount: UInt64) -> Action? {
    guard let deadline, deadline <= now else { return nil }
    if case .probing(_, let knownByteCount) = state, receivedByteCount > knownByteCount {
      lastMessage = now
      state = .probing(until: now + policy.pongTimeout, receivedByteCount: receivedByteCount)
      return nil
    }
    if let keepAliveDeadline, keepAliveDeadline <= now { return .fail(.keepAlive) }
    guard let pingDeadline, pingDeadline <= now else { return nil }
    if case .probing = state { return .fail(.pong) }
    return probe(now: now, receivedByteCount: receivedByteCount)
  }
}

import ApolloAPI
import Dispatch

/// The state of a transport's connection.
public enum WebSocketConnectionState: Sendable {
  /// There is no connection, because no operation needs one, or because the last one has failed.
  case idle
  /// A connection is being made.
  case connecting
  /// The server has acknowledged the session.
  case connected
  /// The connection was lost, or an attempt has failed. `idle`, `waiting` or `paused` follows.
  case disconnected(WebSocketError)
  /// The next attempt to connect is made after a wait.
  case waiting(Duration)
  /// The program has paused the transport.
  case paused
  /// The program has closed the transport.
  case closed
}

extension WebSocketConnectionState {
  init(_ report: TransportDriver.Machine.Report) {
    self =
      switch report {
      case .idle: .idle
      case .connecting: .connecting
      case .connected: .connected
      case .disconnected(let failure, let error):
        .disconnected(WebSocketError(failure, error, wasSent: true))
      case .waiting(let delay): .waiting(delay)
      case .paused: .paused
      case .closed: .closed
      }
  }
}

/// The consumers of a transport's connection states.
///
/// Isolation: everything is behind one lock.
final class ConnectionObservers: Sendable {
  private struct State {
    var current = WebSocketConnectionState.idle
    var continuations: [Int: AsyncStream<WebSocketConnectionState>.Continuation] = [:]
    var count = 0
  }

  private let state = Lock(State())

  func states() -> AsyncStream<WebSocketConnectionState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let number = state.withLock { state in
        state.count += 1
        state.continuations[state.count] = continuation
        continuation.yield(state.current)
        return state.count
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { $0.continuations[number] = nil }
      }
    }
  }

  func notify(_ report: TransportDriver.Machine.Report) {
    let new = WebSocketConnectionState(report)
    let continuations = state.withLock { state in
      state.current = new
      return state.continuations.values
    }
    for continuation in continuations { continuation.yield(new) }
  }

  func finish() {
    let continuations = state.withLock { $0.continuations.values }
    for continuation in continuations { continuation.finish() }
  }
}

/// Calls the delegate of a transport, on its queue.
///
/// Isolation: everything is behind one lock.
final class DelegateRelay: Sendable {
  private struct State {
    weak var transport: WebSocketTransport?
    var delegate: @Sendable () -> (any WebSocketTransportDelegate)? = { nil }
  }

  private let queue: DispatchQueue
  private let state = Lock(State())

  init(queue: DispatchQueue) { self.queue = queue }

  func setTarget(
    _ transport: WebSocketTransport,
    delegate: @escaping @Sendable () -> (any WebSocketTransportDelegate)?
  ) {
    state.withLock { state in
      state.transport = transport
      state.delegate = delegate
    }
  }

  func notify(_ report: TransportDriver.Machine.Report) {
    let (transport, delegate) = state.withLock { ($0.transport, $0.delegate) }
    guard let transport, let delegate = delegate() else { return }
    switch report {
    case .connected(isReconnection: false):
      queue.async { delegate.webSocketTransportDidConnect(transport) }
    case .connected(isReconnection: true):
      queue.async { delegate.webSocketTransportDidReconnect(transport) }
    case .disconnected(let failure, let error):
      let error = WebSocketError(failure, error, wasSent: true)
      queue.async { delegate.webSocketTransport(transport, didDisconnectWithError: error) }
    case .idle, .connecting, .waiting, .paused, .closed: break
    }
  }
}

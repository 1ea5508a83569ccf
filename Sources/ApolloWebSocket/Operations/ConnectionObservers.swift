import ApolloAPI
import Dispatch
import Foundation

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
  /// The state that a report announces; `nil` if it changes none.
  init?(
    _ report: TransportDriver.Machine.Report, url: () -> URL?,
    _ recoveries: [WebSocketCloseCode: WebSocketRecovery]
  ) {
    switch report {
    case .idle: self = .idle
    case .connecting: self = .connecting
    case .connected: self = .connected
    case .disconnected(let failure, let error, let wasConnected):
      self = .disconnected(
        WebSocketError(
          failure, error, wasConnected ? .connected : .notSent, url: url(), recoveries))
    case .waiting(let delay): self = .waiting(delay)
    case .paused: self = .paused
    case .closed: self = .closed
    case .ping, .pong: return nil
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

  private let recoveries: [WebSocketCloseCode: WebSocketRecovery]
  private let state = Lock(State())

  init(recoveries: [WebSocketCloseCode: WebSocketRecovery]) { self.recoveries = recoveries }

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

  func notify(_ report: TransportDriver.Machine.Report, url: () -> URL?) {
    guard let new = WebSocketConnectionState(report, url: url, recoveries) else { return }
    let (continuations, old) = state.withLock { state in
      defer { state.current = new }
      return (state.continuations.values, state.current)
    }
    // Released here, without the lock: it can have an error of the program's.
    withExtendedLifetime(old) {}
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
    /// The number of pings and pongs whose reports wait for the queue.
    var waitingCount = 0
  }

  /// The most reports of pings and pongs that wait for a queue that is busy. Others are dropped.
  private static let waitingLimit = 64

  private let queue: DispatchQueue
  private let recoveries: [WebSocketCloseCode: WebSocketRecovery]
  private let state = Lock(State())

  init(queue: DispatchQueue, recoveries: [WebSocketCloseCode: WebSocketRecovery]) {
    self.queue = queue
    self.recoveries = recoveries
  }

  func setTarget(
    _ transport: WebSocketTransport,
    delegate: @escaping @Sendable () -> (any WebSocketTransportDelegate)?
  ) {
    state.withLock { state in
      state.transport = transport
      state.delegate = delegate
    }
  }

  func notify(_ report: TransportDriver.Machine.Report, url: () -> URL?) {
    let (transport, delegate) = state.withLock { ($0.transport, $0.delegate) }
    guard let transport, let delegate = delegate() else { return }
    switch report {
    case .connected(isReconnection: false):
      queue.async { delegate.webSocketTransportDidConnect(transport) }
    case .connected(isReconnection: true):
      queue.async { delegate.webSocketTransportDidReconnect(transport) }
    case .disconnected(let failure, let error, let wasConnected):
      let error = WebSocketError(
        failure, error, wasConnected ? .connected : .notSent, url: url(), recoveries)
      queue.async { delegate.webSocketTransport(transport, didDisconnectWithError: error) }
    case .ping(let payload):
      let data = payload.map { Data($0.bytes) }
      reportSign { delegate.webSocketTransport(transport, didReceivePingData: data) }
    case .pong(let payload):
      let data = payload.map { Data($0.bytes) }
      reportSign { delegate.webSocketTransport(transport, didReceivePongData: data) }
    case .idle, .connecting, .waiting, .paused, .closed: break
    }
  }

  /// Reports a ping or a pong, unless the program is much slower than the server.
  private func reportSign(_ report: @escaping @Sendable () -> Void) {
    let mayWait = state.withLock { state in
      guard state.waitingCount < Self.waitingLimit else { return false }
      state.waitingCount += 1
      return true
    }
    guard mayWait else { return }
    queue.async { [self] in
      state.withLock { $0.waitingCount -= 1 }
      report()
    }
  }
}

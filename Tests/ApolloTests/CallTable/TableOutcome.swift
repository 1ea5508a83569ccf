import Apollo
import ApolloAPI
import ApolloTransport
import ApolloWebSocket
import LoopbackServer

/// Waits for the last event of the only call of a client.
final class TerminalEvents: CallEventObserver {
  private let signal = Signal()
  private let isCompletion = Lock(false)

  func observe(_ event: CallEvent) {
    guard event.kind.isTerminal else { return }
    end(isCompletion: event.kind.name == "completed")
  }

  func end(isCompletion: Bool) {
    self.isCompletion.withLock { $0 = isCompletion }
    signal.fire()
  }

  /// Returns `true` if the call has completed, and `false` if it has failed or was cancelled.
  func wait() async -> Bool {
    await signal.wait()
    return isCompletion.get()
  }
}

/// The observable facts about one call, as text.
enum TableOutcome {
  /// The events in order, but for those whose number or place varies from call to call.
  ///
  /// An upload reports its progress any number of times. A chain of steps that delivers cached data
  /// may send its request at the same time.
  static func text(
    _ events: [CallEvent], of call: TableCall, over transport: TableTransport
  ) -> String {
    let varies = transport == .steps && call.sendsWhileItDelivers
    return events.map { name($0.kind) }.filter { name in
      name != "uploaded" && !(name == "delivered(cache)" && varies)
    }.joined(separator: " ")
  }

  private static func name(_ kind: CallEvent.Kind) -> String {
    switch kind {
    case .cacheRead(let outcome, _): "\(outcome)"
    case .retried(let error): "retried(\(error.map(name) ?? ""))"
    case .firstByte(let head): "\(head.statusCode)"
    case .received(let count): "received(\(count))"
    case .decoded(let count, _): count > 0 ? "decoded(\(count) errors)" : "decoded"
    case .delivered(let source): "delivered(\(source))"
    case .failed(let error): "failed(\(name(error)))"
    default: kind.name
    }
  }

  static func name(_ error: any Error) -> String {
    switch error {
    case let error as NetworkError: "NetworkError.\(error.code)"
    case let error as GraphQLHTTPResponseError: "status \(error.statusCode)"
    case let error as CacheAndNetworkError:
      "CacheAndNetworkError(\(name(error.networkError)), \(name(error.cacheError)))"
    case let error as ApolloClientError: "\(error.code) of \(error.transportName)"
    case let error as WebSocketError: "WebSocketError.\(error.code)"
    case let error as ResponseStreamError: "ResponseStreamError.\(error.kind)"
    case let error as RequestChainError: "RequestChainError.\(error.code)"
    default: "\(type(of: error))"
    }
  }
}

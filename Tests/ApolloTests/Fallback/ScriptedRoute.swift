import ApolloAPI
import Foundation
import LoopbackServer

@testable import ApolloTransport
@testable import ApolloWebSocket

/// A transport without a network whose subscriptions do what a script says.
final class ScriptedRoute: SubscriptionNetworkTransport {
  enum Step: Sendable {
    /// The server reacts. Every step before it happens on an unopened route.
    case opened, wholeResponse
    case event(String)
    case body(String)
    /// Waits for a signal, or fires it.
    case wait(Signal), signal(Signal)
    case interrupted, resumed
    case failure(any Error)
    /// Waits until the call is cancelled.
    case silence
  }

  private let script: @Sendable (_ call: Int) -> [Step]
  private let calls = Lock(0)
  /// Fires when a call has come to its silence.
  let isSilent = Signal()
  /// Fires when a call was cancelled in its silence.
  let wasCancelled = Signal()

  init(_ script: @escaping @Sendable (Int) -> [Step]) { self.script = script }

  /// A route on which every call does the same.
  convenience init(_ steps: Step...) { self.init { _ in steps } }

  var callCount: Int { calls.get() }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    throw CancellationError()
  }

  func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses { [self] in
      var steps: ArraySlice<Step>?
      return { [self] in
        if steps == nil {
          steps =
            script(
              calls.withLock { calls in
                calls += 1
                return calls
              })[...]
        }
        while let step = steps?.popFirst() {
          switch step {
          case .opened: request.facts.openingHandler?(.opened)
          case .wholeResponse: request.facts.openingHandler?(.wholeResponse)
          case .interrupted:
            request.facts.stateHandler?(.interrupted(WebSocketError(.connectionLost)))
          case .resumed: request.facts.stateHandler?(.resumed)
          case .event(let name):
            return NetworkResponse(body: Data(StreamingTransport.body(name).utf8))
          case .body(let text): return NetworkResponse(body: Data(text.utf8))
          case .wait(let signal): await signal.wait()
          case .signal(let signal): signal.fire()
          case .failure(let error): throw error
          case .silence:
            isSilent.fire()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            wasCancelled.fire()
            throw CancellationError()
          }
        }
        return nil
      }
    }
  }
}

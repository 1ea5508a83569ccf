import Apollo
import ApolloAPI
import Foundation

/// A transport without a network that delivers any number of responses to an operation.
final class StreamingTransport: SubscriptionNetworkTransport, InterceptingNetworkTransport {
  /// One event of a call.
  enum Event: Sendable {
    case response(String)
    case failure(any Error)
    /// Waits until the call is cancelled.
    case silence
  }

  struct Failure: Error {}

  private let script: @Sendable (_ call: Int) -> [Event]
  private let provider: (any InterceptorProvider)?
  private let state = Lock((calls: 0, reads: 0, open: 0))

  init(
    provider: (any InterceptorProvider)? = nil, _ script: @escaping @Sendable (Int) -> [Event]
  ) {
    self.script = script
    self.provider = provider
  }

  /// The number of calls so far.
  var callCount: Int { state.withLock { $0.calls } }
  /// The number of events that were asked for.
  var readCount: Int { state.withLock { $0.reads } }
  /// The number of calls that hold something.
  var openCount: Int { state.withLock { $0.open } }

  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    provider
  }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    guard let last = try await responses(to: request).last() else { throw Failure() }
    return last
  }

  func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses { [self] in
      var events: ArraySlice<Event>?
      let held = Witness { self.state.withLock { $0.open -= 1 } }
      state.withLock { $0.open += 1 }
      return { [self] in
        defer { withExtendedLifetime(held) {} }
        let call = state.withLock { state in
          state.reads += 1
          if events == nil { state.calls += 1 }
          return state.calls - 1
        }
        if events == nil { events = script(call)[...] }
        switch events?.popFirst() {
        case .response(let name):
          return NetworkResponse(body: Data(Self.body(name).utf8))
        case .failure(let error): throw error
        case .silence:
          for await _ in AsyncStream<Void>.makeStream().stream {}
          throw CancellationError()
        case nil: return nil
        }
      }
    }
  }

  /// A response with a hero of this name, for queries and subscriptions alike.
  static func body(_ name: String) -> String {
    let hero = #"{"__typename":"Hero","id":"1","name":"\#(name)"}"#
    let withFriends = hero.dropLast() + #","friends":null}"#
    return #"{"data":{"heroChanged":\#(hero),"hero":\#(withFriends)}}"#
  }
}

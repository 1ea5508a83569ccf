import ApolloAPI
import Apollo
import Foundation
import TestOperations

/// A client with a clock that tests decide, and a server that counts the requests.
final class AgingServer: InterceptingNetworkTransport {
  private struct State: Sendable {
    var requests = 0
    var name = "Luke"
    var headers: [String: String] = [:]
    var isDown = false
    var hasFriends = true
    var friendsFail = false
  }
  private let state = Lock(State())
  /// The seconds since the beginning of the test.
  let time = Lock(0.0)

  private let interceptors: (any InterceptorProvider)?

  struct IsDown: Error {}

  init(interceptors: (any InterceptorProvider)? = nil) { self.interceptors = interceptors }

  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    interceptors
  }

  var requestCount: Int { state.withLock { $0.requests } }

  func set(
    name: String? = nil, headers: [String: String]? = nil, isDown: Bool? = nil,
    hasFriends: Bool? = nil, friendsFail: Bool? = nil
  ) {
    state.withLock { state in
      if let name { state.name = name }
      if let headers { state.headers = headers }
      if let isDown { state.isDown = isDown }
      if let hasFriends { state.hasFriends = hasFriends }
      if let friendsFail { state.friendsFail = friendsFail }
    }
  }

  func advance(by seconds: Double) { time.withLock { $0 += seconds } }

  /// Creates a client of this server.
  func client(
    cache: any NormalizedCache = InMemoryNormalizedCache(), clock: (any AlarmClock)? = nil,
    _ change: (inout CacheFreshness) -> Void
  ) -> ApolloClient {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.now = { [time] in
      Date(timeIntervalSince1970: 1_000_000 + time.get())
    }
    change(&configuration.freshness)
    return ApolloClient(
      networkTransport: self, store: ApolloStore(cache: cache, configuration: configuration),
      clock: clock ?? SystemAlarmClock.shared)
  }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let state = state.withLock { state in
      state.requests += 1
      return state
    }
    if state.isDown { throw IsDown() }
    let hero = #"{"__typename":"Hero","id":"0","name":"\#(state.name)""#
    let friend = state.hasFriends ? #"{"__typename":"Hero","id":"1","name":"Leia"}"# : ""
    let friends = state.friendsFail ? "null" : "[\(friend)]"
    let errors =
      state.friendsFail ? #","errors":[{"message":"no friends","path":["hero","friends"]}]"# : ""
    let body =
      request.operation is HeroAPI.RenameMutation
      ? #"{"data":{"rename":\#(hero)}}}"#
      : #"{"data":{"hero":\#(hero),"friends":\#(friends)}}\#(errors)}"#
    return NetworkResponse(
      body: Data(body.utf8), http: HTTPDetails(statusCode: 200, headers: state.headers))
  }
}

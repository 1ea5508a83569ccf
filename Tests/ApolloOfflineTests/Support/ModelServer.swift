import Apollo
import ApolloAPI
import ApolloOffline
import Foundation

/// A server that renames heroes, performs each key once, and fails as a test wants.
///
/// A hero with a temporary identifier gets a real one: `new-7` becomes `real-new-7`.
final class ModelServer: UploadingNetworkTransport {
  /// The reaction to one request.
  enum Reaction: Sendable {
    case respond
    /// No network: nothing of the request leaves.
    case offline
    /// The connection ends before the server has seen the request.
    case lostBefore
    /// The connection ends after the server has performed the mutation.
    case lostAfter
    /// The server performs the mutation, and an interceptor of the program fails.
    case failAfter
    /// The server rejects the mutation, and its response names the root type.
    case rejectWithTypename
    /// The server performs the mutation, and a field of the result has an error.
    case respondWithError
    /// The server performs the mutation, whose result is null.
    case respondWithNull
    /// The mutation is rejected with a GraphQL error.
    case reject
  }

  struct Failed: Error {}

  /// One performed mutation.
  struct Performed: Hashable, Sendable {
    var id: String
    var name: String
    var key: String?
    var token: String?
  }

  private struct State {
    var reactions: [Reaction] = []
    var standard = Reaction.respond
    var performed: [Performed] = []
    var responses: [String: String] = [:]
    var keys: [String?] = []
    var token: String?
    var files: [[GraphQLFile]] = []
    var held: [CheckedContinuation<Void, Never>]?
    var holdsOnlyNext = false
    var interceptor: (@Sendable (OperationRequest) async -> Void)?
    var requestCount = 0
  }
  private let state = Lock(State())

  /// The token that requests carry, as an interceptor would add it.
  var token: String? {
    get { state.withLock { $0.token } }
    set { state.withLock { $0.token = newValue } }
  }
  var performed: [Performed] { state.withLock { $0.performed } }
  var names: [String] { performed.map(\.name) }
  /// The keys of all requests that the server has seen.
  var keys: [String?] { state.withLock { $0.keys } }
  var files: [[GraphQLFile]] { state.withLock { $0.files } }
  var requestCount: Int { state.withLock { $0.requestCount } }

  /// Reacts to the next requests in this way, and then to all others in the last way.
  func react(_ reactions: Reaction...) {
    state.withLock { state in
      state.reactions = reactions.dropLast()
      state.standard = reactions.last ?? .respond
    }
  }

  /// Runs before each request is sent, as an interceptor of the program.
  func intercept(_ interceptor: (@Sendable (OperationRequest) async -> Void)?) {
    state.withLock { $0.interceptor = interceptor }
  }

  /// Keeps requests from now on until ``release()``.
  func hold() { state.withLock { $0.held = [] } }

  /// Keeps the next request until ``release()``.
  func holdNext() {
    state.withLock { state in
      state.held = []
      state.holdsOnlyNext = true
    }
  }

  func release() {
    let held = state.withLock { state in
      defer { (state.held, state.holdsOnlyNext) = (nil, false) }
      return state.held ?? []
    }
    for continuation in held { continuation.resume() }
  }

  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse {
    state.withLock { $0.files.append(files) }
    return try await send(request)
  }

  /// Notes its attempts as the transports of this package do.
  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let record = request.facts.session?.record
    record?.beginNoting()
    if let interceptor = state.withLock({ $0.interceptor }) {
      await interceptor(request)
      try request.facts.session?.check()
    }
    let attempt = try record?.beginAttempt()
    attempt?.prepare()
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.requestCount += 1
        if state.holdsOnlyNext, state.held?.isEmpty == false { return false }
        state.held?.append(continuation)
        return state.held != nil
      }
      if !isHeld { continuation.resume() }
    }
    let variables = request.operation.__variables
    let id = variables?["id"]?.stringValue ?? ""
    let name = variables?["name"]?.stringValue ?? ""
    let key = request.additionalHeaders["Idempotency-Key"]
    return try state.withLock { state in
      let reaction = state.reactions.isEmpty ? state.standard : state.reactions.removeFirst()
      let url = URL(string: "http://localhost/")
      switch reaction {
      case .offline: throw NetworkError(.offline, url: url)
      case .lostBefore:
        guard attempt?.leave() != false else { throw CancellationError() }
        throw NetworkError(.connectionLost, url: url)
      default: guard attempt?.leave() != false else { throw CancellationError() }
      }
      state.keys.append(key)
      if case .reject = reaction {
        attempt?.respond()
        return NetworkResponse(
          body: Data(#"{"data":null,"errors":[{"message":"not \#(name)"}]}"#.utf8))
      }
      if case .rejectWithTypename = reaction {
        let error = #"{"message":"not \#(name)","path":["rename"]}"#
        attempt?.respond()
        return NetworkResponse(
          body: Data(#"{"data":{"type":"Mutation","rename":null},"errors":[\#(error)]}"#.utf8))
      }
      var text = key.flatMap { state.responses[$0] }
      if text == nil {
        state.performed.append(Performed(id: id, name: name, key: key, token: state.token))
        let real = id.hasPrefix("new-") ? "real-\(id)" : id
        text =
          #"{"data":{"rename":{"__typename":"Hero","id":"\#(real)","name":"\#(name)"}}}"#
        if let key { state.responses[key] = text }
      }
      if case .failAfter = reaction { throw Failed() }
      if case .lostAfter = reaction { throw NetworkError(.connectionLost, url: url) }
      if case .respondWithError = reaction, let whole = text {
        let error = #"{"message":"no friends","path":["rename","friends"]}"#
        text = whole.dropLast(3) + #","friends":null}},"errors":[\#(error)]}"#
      }
      if case .respondWithNull = reaction { text = #"{"data":{"rename":null}}"# }
      attempt?.respond()
      return NetworkResponse(body: Data((text ?? "").utf8))
    }
  }
}

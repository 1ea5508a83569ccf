import Apollo
import ApolloAPI
import Foundation

/// A server and a network of which a test decides each step: whether a request leaves, is
/// performed, and gets its response. It performs each key once.
///
/// A request goes from `prepared` over `left` to `performed`. A caller that is cancelled is let go,
/// as by an HTTP client, and the server may perform what has left all the same.
final class SteppedServer: Sendable {
  enum Phase: Sendable { case prepared, left, performed }

  struct Request: Sendable {
    let number: Int
    let process: Int
    let id: String
    let name: String
    let key: String?
    let attempt: SendingAttempt?
    var phase = Phase.prepared
    /// `nil` if the caller has been let go.
    var caller: CheckedContinuation<NetworkResponse, any Error>?
  }

  private struct State {
    var requests: [Int: Request] = [:]
    var requestCount = 0
    var cancelled: Set<Int> = []
    /// The responses to keys.
    var identifiers: [String: String] = [:]
    var deadProcesses: Set<Int> = []
  }
  private let state = Lock(State())

  /// The requests whose callers wait, and those that have left and can still arrive.
  var requests: [Request] {
    state.withLock { $0.requests.values.sorted { $0.number < $1.number } }
  }

  /// The number of callers of a process that wait.
  func waitingCount(of process: Int) -> Int {
    state.withLock { $0.requests.values.count { $0.process == process && $0.caller != nil } }
  }

  /// Lets the callers of a process go, as at its end. No more requests of it come.
  func end(_ process: Int) {
    state.withLock { _ = $0.deadProcesses.insert(process) }
    for request in requests where request.process == process { release(request.number) }
  }

  func transport(of process: Int) -> any NetworkTransport {
    Transport(server: self, process: process)
  }

  private final class Transport: NetworkTransport {
    let server: SteppedServer
    let process: Int

    init(server: SteppedServer, process: Int) { (self.server, self.process) = (server, process) }

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      try await server.send(request, process)
    }
  }

  private func send(_ request: OperationRequest, _ process: Int) async throws -> NetworkResponse {
    let record = request.facts.session?.record
    record?.beginNoting()
    try request.facts.session?.check()
    let attempt = try record?.beginAttempt()
    attempt?.prepare()
    let variables = request.operation.__variables
    let number = state.withLock { state in
      state.requestCount += 1
      return state.requestCount
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          guard !state.deadProcesses.contains(process), !state.cancelled.contains(number) else {
            return true
          }
          state.requests[number] = Request(
            number: number, process: process, id: variables?["id"]?.stringValue ?? "",
            name: variables?["name"]?.stringValue ?? "",
            key: request.additionalHeaders["Idempotency-Key"], attempt: attempt,
            caller: continuation)
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      state.withLock { _ = $0.cancelled.insert(number) }
      release(number)
    }
  }

  /// Lets a caller go. What has not left never does.
  private func release(_ number: Int) {
    let caller = state.withLock { state in
      defer {
        if state.requests[number]?.phase == .left {
          state.requests[number]?.caller = nil
        } else {
          state.requests[number] = nil
        }
      }
      return state.requests[number]?.caller
    }
    caller?.resume(throwing: CancellationError())
  }

  // MARK: Steps

  /// Lets the bytes of a request leave.
  ///
  /// - Returns: `false` if they must not. The caller gets an error then.
  func leave(_ request: Request) -> Bool {
    guard request.attempt?.leave() != false else {
      fail(request, CancellationError())
      return false
    }
    state.withLock { $0.requests[request.number]?.phase = .left }
    return true
  }

  /// Performs a request that has left, unless its key was performed.
  ///
  /// - Returns: `true` if it was not.
  func perform(_ request: Request) -> Bool {
    state.withLock { state in
      if state.requests[request.number]?.caller == nil {
        state.requests[request.number] = nil
      } else {
        state.requests[request.number]?.phase = .performed
      }
      let real = request.id.hasPrefix("new-") ? "real-\(request.id)" : request.id
      guard let key = request.key else { return true }
      guard state.identifiers[key] == nil else { return false }
      state.identifiers[key] = real
      return true
    }
  }

  func isPerformed(_ key: String?) -> Bool {
    key.map { key in state.withLock { $0.identifiers[key] != nil } } ?? false
  }

  /// Sends the response to a request that was performed.
  func respond(_ request: Request) {
    let real = request.id.hasPrefix("new-") ? "real-\(request.id)" : request.id
    respond(
      request,
      #"{"data":{"rename":{"__typename":"Hero","id":"\#(real)","name":"\#(request.name)"}}}"#)
  }

  func reject(_ request: Request) {
    respond(request, #"{"data":null,"errors":[{"message":"no"}]}"#)
  }

  private func respond(_ request: Request, _ body: String) {
    request.attempt?.respond()
    take(request)?.resume(returning: NetworkResponse(body: Data(body.utf8)))
  }

  /// Lets the caller have an error. The connection is lost, so nothing arrives any more.
  func fail(_ request: Request, _ error: any Error) { take(request)?.resume(throwing: error) }

  private func take(_ request: Request) -> CheckedContinuation<NetworkResponse, any Error>? {
    state.withLock { $0.requests.removeValue(forKey: request.number)?.caller }
  }
}

import ApolloAPI

/// The results of a call through a ``RequestChain``, until the client takes them.
///
/// | expected | results |
/// | :-- | :-- |
/// | `one` | The first one. |
/// | `cacheAndServer` | One of the cache, then one of the server, which is the last. |
/// | `parts` | All, until the chain releases its completion. At least one. |
/// | `events` | All, until the chain releases its completion. There may be none. |
///
/// A chain that begins anew reads the cache again. Therefore `parts` has only one result of the
/// cache before the first one of the server, as `cacheAndServer` has.
///
/// The last one that is expected ends the results in the same turn of the lock: neither another one
/// nor an error follows it, on whatever thread they arrive.
///
/// Isolation: the state is behind a lock; continuations are resumed outside of it.
final class RequestChainResults<Operation: GraphQLOperation>: Sendable {
  typealias Response = GraphQLResponse<Operation>

  /// The number of results that a call has.
  enum Expectation { case one, cacheAndServer, parts, events }

  private struct State {
    var buffer: [Response] = []
    var end: Result<Void, any Error>?
    var resultCount = 0
    /// `true` after a result of the server.
    var hasServerResult = false
    var reader: CheckedContinuation<Response?, any Error>?
    var writers: [CheckedContinuation<Void, Never>] = []
  }

  private let expectation: Expectation
  private let state = Lock(State())

  init(_ expectation: Expectation) { self.expectation = expectation }

  /// `true` if there may be any number of results.
  var takesSeveral: Bool { expectation == .parts || expectation == .events }

  /// `true` after a result of the server.
  var hasServerResult: Bool { state.withLock { $0.hasServerResult } }

  /// Adds a result. Returns `true` if no more are expected.
  func put(_ response: Response) -> Bool {
    let isLast =
      expectation == .one || expectation == .cacheAndServer && response.source == .server
    let reader: CheckedContinuation<Response?, any Error>? = state.withLock { state in
      guard state.end == nil else { return nil }
      switch response.source {
      case .server: state.hasServerResult = true
      case .cache where expectation != .events && !state.hasServerResult && state.resultCount > 0:
        return nil
      case .cache: break
      }
      state.resultCount += 1
      if isLast { state.end = .success(()) }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.buffer.append(response)
      return nil
    }
    reader?.resume(returning: response)
    return isLast
  }

  /// Ends the results, unless the last one has: with an error, or without one. A call without any
  /// result has an error, but for a subscription without events.
  func end(_ error: (any Error)?) {
    let (reader, writers, end) = state.withLock { state in
      let result: Result<Void, any Error> =
        if let end = state.end {
          end
        } else if let error {
          .failure(error)
        } else if state.resultCount == 0, expectation != .events {
          .failure(RequestChainError(.noCompletion, operationName: Operation.operationName))
        } else {
          .success(())
        }
      state.end = result
      defer {
        state.reader = nil
        state.writers = []
      }
      return (state.reader, state.writers, result)
    }
    reader?.resume(with: end.map { nil })
    for writer in writers { writer.resume() }
  }

  /// Returns the next result, or `nil` after the last one.
  func next() async throws -> Response? {
    try await withCheckedThrowingContinuation { reader in
      var writers: [CheckedContinuation<Void, Never>] = []
      let result: Result<Response?, any Error>? = state.withLock { state in
        guard state.buffer.isEmpty else {
          let first = state.buffer.removeFirst()
          swap(&writers, &state.writers)
          return .success(first)
        }
        if let end = state.end { return end.map { nil } }
        state.reader = reader
        return nil
      }
      if let result { reader.resume(with: result) }
      for writer in writers { writer.resume() }
    }
  }

  /// Waits until the results that have arrived were taken, so that parts of a response are not
  /// buffered without a limit.
  func waitUntilTaken() async {
    await withCheckedContinuation { writer in
      let isTaken = state.withLock { state in
        if state.buffer.isEmpty || state.end != nil { return true }
        state.writers.append(writer)
        return false
      }
      if isTaken { writer.resume() }
    }
  }
}

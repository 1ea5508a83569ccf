internal import ApolloAPI

/// A token, and at most one refresh of it at a time.
///
/// Isolation: all state is behind a lock; continuations are resumed outside of it.
final class TokenRefresher: Sendable {
  private struct State {
    var token: String?
    /// The number of the refresh under way, or of the last one. The result of any other is ignored.
    var number = 0
    var refresh: Task<Void, Never>?
    /// `true` if the refresh was cancelled with the last request that waited for it. A token that
    /// it still gets counts: the server may have invalidated the one before.
    var isRefreshCancelled = false
    var waiters: [Int: CheckedContinuation<String, any Error>] = [:]
    var waiterCount = 0

    mutating func takeWaiters() -> [CheckedContinuation<String, any Error>] {
      defer { waiters = [:] }
      return waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Ends the refresh that is under way, if there is one, without waiting for its result.
    mutating func abandonRefresh() -> Task<Void, Never>? {
      defer { refresh = nil }
      number += 1
      return refresh
    }
  }

  private let state: Lock<State>
  /// The users, one after the other. A session ends in one step with its token, so that no request
  /// from before continues with the token of another user.
  private let sessions = CallSessions()
  private let refresh: @Sendable () async throws -> String

  init(token: String?, refresh: @escaping @Sendable () async throws -> String) {
    state = Lock(State(token: token))
    self.refresh = refresh
  }

  deinit { state.withLock { $0.abandonRefresh() }?.cancel() }

  /// Replaces the token. Requests that wait for a refresh continue with it. Without one, the
  /// session has ended: they are cancelled, and so is the refresh, whose result would be a token of
  /// the former user.
  func set(_ token: String?) {
    let (waiters, refresh, cancellations) = state.withLock { state in
      state.token = token
      let cancellations = token == nil ? sessions.advance() : []
      return (state.takeWaiters(), state.abandonRefresh(), cancellations)
    }
    refresh?.cancel()
    cancellations.forEach { $0() }
    let result =
      token.map { Result<String, any Error>.success($0) } ?? .failure(CancellationError())
    waiters.forEach { $0.resume(with: result) }
  }

  /// The current session. It ends when the token is forgotten.
  var session: CallSession { sessions.current }

  /// Returns the token, or a new one if there is none or it is the rejected one.
  ///
  /// - Throws: The error of the refresh, or `CancellationError`, also if the session has ended.
  func token(replacing rejected: String?, in session: CallSession) async throws -> String {
    let id = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let result: Result<String, any Error>? = state.withLock { state in
          if Task.isCancelled || !session.isCurrent { return .failure(CancellationError()) }
          if let token = state.token, token != rejected { return .success(token) }
          state.waiters[id] = waiter
          if state.refresh == nil { start(&state) }
          return nil
        }
        if let result { waiter.resume(with: result) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Gets a new token for later requests, unless the rejected one has been replaced. Nothing waits
  /// for it. If the refresh fails, the next rejected request tries again.
  func beginRefresh(replacing rejected: String, in session: CallSession) {
    state.withLock { state in
      guard session.isCurrent, state.token == rejected, state.refresh == nil else { return }
      start(&state)
    }
  }

  /// Starts a refresh. It holds nothing of the refresher but its closure while that runs.
  private func start(_ state: inout State) {
    let number = state.number
    state.isRefreshCancelled = false
    state.refresh = Task { [weak self, refresh] in
      let result: Result<String, any Error>
      do {
        result = .success(try await refresh())
      } catch {
        result = .failure(error)
      }
      self?.finish(number, result)
    }
  }

  private func finish(_ number: Int, _ result: Result<String, any Error>) {
    let waiters: [CheckedContinuation<String, any Error>] = state.withLock { state in
      guard state.number == number else { return [] }
      state.number += 1
      state.refresh = nil
      switch result {
      case .success(let token): state.token = token
      case .failure where state.isRefreshCancelled:
        // Requests that came after the cancellation had no part in it.
        if !state.waiters.isEmpty { start(&state) }
        return []
      case .failure: break
      }
      return state.takeWaiters()
    }
    waiters.forEach { $0.resume(with: result) }
  }

  private func cancel(_ id: Int) {
    let (waiter, refresh): (CheckedContinuation<String, any Error>?, Task<Void, Never>?) =
      state.withLock { state in
        guard let waiter = state.waiters.removeValue(forKey: id) else { return (nil, nil) }
        guard state.waiters.isEmpty else { return (waiter, nil) }
        state.isRefreshCancelled = true
        return (waiter, state.refresh)
      }
    waiter?.resume(throwing: CancellationError())
    refresh?.cancel()
  }
}

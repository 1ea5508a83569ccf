internal import ApolloAPI

/// Requests under way, each of which serves all callers that ask for the same.
///
/// 1. The first caller with a key starts the work, in a task of its own.
/// 2. Later callers with an equal key wait for it, until it has ended.
/// 3. All of them receive its result, in the order in which they asked.
/// 4. A caller that is cancelled leaves the others alone. The last one to leave cancels the work,
///    and the next caller starts it anew.
///
/// Isolation: all state is behind a lock; continuations are resumed outside of it.
package final class SharedRequests<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct Request {
    /// The caller that started the work. It identifies the work, because keys are used again.
    var firstCaller: Int
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter]
  }

  private struct State {
    var requests: [Key: Request] = [:]
    var callerCount = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Returns the result of the work for `key`, which `work` does if it is not under way.
  ///
  /// `joined` is called if it is.
  package func value(
    for key: Key, joined: () -> Void = {}, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let caller = state.withLock { state in
      state.callerCount += 1
      return state.callerCount
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        switch enter(caller, key, waiter, work) {
        case .started: break
        case .joined: joined()
        case .cancelled: waiter.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      leave(caller, key)
    }
  }

  private enum Entrance {
    case started, joined, cancelled
  }

  private func enter(
    _ caller: Int, _ key: Key, _ waiter: Waiter,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> Entrance {
    state.withLock { state in
      if Task.isCancelled { return .cancelled }
      guard state.requests[key] == nil else {
        state.requests[key]?.waiters[caller] = waiter
        return .joined
      }
      let task = Task {
        let result: Result<Value, any Error>
        do {
          result = .success(try await work())
        } catch {
          result = .failure(error)
        }
        finish(caller, key, result)
      }
      state.requests[key] = Request(firstCaller: caller, task: task, waiters: [caller: waiter])
      return .started
    }
  }

  private func finish(_ firstCaller: Int, _ key: Key, _ result: Result<Value, any Error>) {
    let waiters: [Waiter] = state.withLock { state in
      guard let request = state.requests[key], request.firstCaller == firstCaller else {
        return []
      }
      state.requests[key] = nil
      return request.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  private func leave(_ caller: Int, _ key: Key) {
    let (waiter, task): (Waiter?, Task<Void, Never>?) = state.withLock { state in
      guard let waiter = state.requests[key]?.waiters.removeValue(forKey: caller) else {
        return (nil, nil)
      }
      guard state.requests[key]?.waiters.isEmpty == true else { return (waiter, nil) }
      return (waiter, state.requests.removeValue(forKey: key)?.task)
    }
    waiter?.resume(throwing: CancellationError())
    task?.cancel()
  }
}

import Apollo
import TestOperations

/// A running subscription to the changes of a hero, whose events wait until they are asked for.
final class HeroSubscription: Sendable {
  private struct State {
    var names: [String] = []
    var end: (any Error)?
    var interruption: ContinuousClock.Instant?
  }

  private let state = Lock(State())
  private let task = Lock<Task<Void, Never>?>(nil)

  init(_ client: ApolloClient) {
    let state = state
    let responses = client.subscribe(
      subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly,
      stateHandler: { change in
        guard case .interrupted = change else { return }
        state.withLock { $0.interruption = $0.interruption ?? .now }
      })
    let reader = Task {
      var end: any Error = CleanEnd()
      do {
        for try await response in responses {
          let name = response.data?.heroChanged?.name ?? "no data"
          state.withLock { $0.names.append(name) }
        }
      } catch {
        end = error
      }
      state.withLock { [end] in $0.end = end }
    }
    task.withLock { $0 = reader }
  }

  deinit { task.get()?.cancel() }

  /// The moment at which the connection was lost first.
  var interruption: ContinuousClock.Instant? { state.get().interruption }

  /// Returns the name in the next event, or `nil` if none arrives in time.
  ///
  /// - Throws: The error of the subscription, or ``CleanEnd``.
  func next(within limit: Duration) async throws -> String? {
    let deadline = ContinuousClock.now + limit
    repeat {
      let name = try state.withLock { state -> String? in
        if !state.names.isEmpty { return state.names.removeFirst() }
        if let end = state.end { throw end }
        return nil
      }
      if let name { return name }
      try await Task.sleep(for: .milliseconds(10))
    } while ContinuousClock.now < deadline
    return nil
  }
}

extension HeroSubscription {
  /// Returns `true` when an event with the name has arrived, `false` if none does in time.
  func hears(of name: String, within limit: Duration) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while let other = try await next(within: deadline - .now) {
      if other == name { return true }
    }
    return false
  }
}

/// The end of a subscription that its server has completed.
struct CleanEnd: Error {}

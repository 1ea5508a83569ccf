import ApolloCache
import ApolloTransport

/// The task of one call with a callback. Releasing the reference does not cancel the call.
final class CallTask: Cancellable {
  private let results: CallResults
  private let task: Task<Void, Never>

  /// Starts a task. It receives the `CallResults` through which each result reaches its handler.
  init(in session: CallSession?, _ work: @escaping @Sendable (CallResults) async -> Void) {
    let results = CallResults(in: session)
    self.results = results
    task = ApolloStore.task { await work(results) }
  }

  func cancel() {
    results.cancel()
    task.cancel()
  }
}

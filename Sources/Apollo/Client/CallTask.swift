import ApolloCache

/// The task of one call with a callback. Releasing the reference does not cancel the call.
final class CallTask: Cancellable {
  private let task: Task<Void, Never>

  init(_ work: @escaping @Sendable () async -> Void) { task = ApolloStore.task(work) }

  func cancel() { task.cancel() }
}

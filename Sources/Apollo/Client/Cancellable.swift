import ApolloCache
import ApolloTransport

/// Work that can be given up.
public protocol Cancellable: AnyObject, Sendable {
  /// Gives up. Does nothing when the work has ended.
  func cancel()
}

/// The work of one call. Letting go of it does not cancel: the work ends by itself.
final class CallTask: Cancellable {
  private let task: Task<Void, Never>

  init(_ work: @escaping @Sendable () async -> Void) { task = ApolloStore.task(work) }

  func cancel() { task.cancel() }
}

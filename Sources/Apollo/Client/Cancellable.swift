import ApolloCache
import ApolloTransport

/// A call or a watch that can be cancelled.
///
/// ```swift
/// let call = apollo.fetch(query: SearchQuery(text: "Leia")) { result in print(result) }
/// call.cancel()  // The handler receives a `CancellationError`.
/// ```
public protocol Cancellable: AnyObject, Sendable {
  /// Cancels the call or the watch. Has no effect if it has already ended.
  func cancel()
}

/// The task of one call with a callback. Releasing the reference does not cancel the call.
final class CallTask: Cancellable {
  private let task: Task<Void, Never>

  init(_ work: @escaping @Sendable () async -> Void) { task = ApolloStore.task(work) }

  func cancel() { task.cancel() }
}

/// A call or a watch that can be cancelled.
///
/// ```swift
/// let call = apollo.fetch(query: SearchQuery(text: "Leia")) { result in print(result) }
/// call.cancel()  // The handler receives a `CancellationError`.
/// ```
public protocol Cancellable: AnyObject, Sendable {
  /// Cancels the call or the watch. Has no effect if it has already ended.
  ///
  /// A result that waits for the queue of its handler is not delivered afterwards.
  func cancel()
}

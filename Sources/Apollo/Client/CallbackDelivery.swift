import Dispatch

/// A closure that calls a handler in its place, on a queue or on the main actor, with the value
/// that another closure returns there, unless that is `nil`.
typealias CallbackDelivery<Value> = @Sendable (@escaping @Sendable () -> Value?) -> Void

/// Returns a closure that calls `handler` on a queue, asynchronously.
func delivery<Value: Sendable>(
  on queue: DispatchQueue, to handler: @escaping @Sendable (Value) -> Void
) -> CallbackDelivery<Value> {
  let queue = queue.serial
  return { value in queue.async { if let value = value() { handler(value) } } }
}

extension DispatchQueue {
  /// A queue that runs its blocks on this one, one at a time and in order.
  ///
  /// A handler that receives several results needs it: a concurrent queue would run it for the
  /// newer result first, or for both at once.
  var serial: DispatchQueue {
    self === DispatchQueue.main
      ? self : DispatchQueue(label: "apollo.results", target: self)
  }
}

/// Returns a closure that calls `handler` on the main queue, asynchronously.
func deliveryOnMain<Value: Sendable>(
  to handler: @escaping @MainActor @Sendable (Value) -> Void
) -> CallbackDelivery<Value> {
  { value in
    DispatchQueue.main.async {
      guard let value = value() else { return }
      MainActor.assumeIsolated { handler(value) }
    }
  }
}

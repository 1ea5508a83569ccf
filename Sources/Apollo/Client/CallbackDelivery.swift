import Dispatch

/// A closure that calls a handler in its place: on a queue, or on the main actor.
typealias CallbackDelivery<Value> = @Sendable (Value) -> Void

/// Returns a closure that calls `handler` on a queue, asynchronously.
func delivery<Value: Sendable>(
  on queue: DispatchQueue, to handler: @escaping @Sendable (Value) -> Void
) -> CallbackDelivery<Value> {
  { value in queue.async { handler(value) } }
}

/// Returns a closure that calls `handler` on the main queue, asynchronously.
func deliveryOnMain<Value: Sendable>(
  to handler: @escaping @MainActor @Sendable (Value) -> Void
) -> CallbackDelivery<Value> {
  { value in
    DispatchQueue.main.async { MainActor.assumeIsolated { handler(value) } }
  }
}

import Observation

/// Suspends until one of the properties that `read` reads is about to change.
@MainActor func change(of read: () -> Void) async {
  await withCheckedContinuation { continuation in
    withObservationTracking(read) { continuation.resume() }
  }
  await Task.yield()
}

/// Suspends until a condition on the properties of a query holds.
@MainActor func wait(until condition: () -> Bool) async {
  while !condition() { await change { _ = condition() } }
}

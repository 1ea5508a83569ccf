import Dispatch

extension Array where Element: Sendable {
  /// Transforms all elements on all processors.
  ///
  /// - Parameter transform: Called once for each element, in any order and on any thread.
  /// - Returns: The results, in the order of the elements.
  func concurrentMap<Result: Sendable>(
    _ transform: @Sendable (Element) -> Result
  ) -> [Result] {
    // Few elements at a time: neighbours take similar time, and some far more than others.
    let stride = 8
    return [Result](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      // Because each iteration writes to elements of its own, and all have ended afterwards.
      nonisolated(unsafe) let results = buffer
      DispatchQueue.concurrentPerform(iterations: (count + stride - 1) / stride) { part in
        for index in (part * stride)..<Swift.min((part + 1) * stride, count) {
          results.initializeElement(at: index, to: transform(self[index]))
        }
      }
      initializedCount = count
    }
  }
}

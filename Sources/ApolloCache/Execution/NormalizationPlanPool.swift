package import ApolloAPI

/// Plans that are made already, for whoever walks the same selections with the same variables
/// again.
///
/// A walk takes a plan out and puts it back, so no two use one at the same time, and a second walk
/// beside the first makes its own.
package final class NormalizationPlanPool: Sendable {
  /// - Note: `@unchecked Sendable` because a plan is either here, behind the lock, or with one
  ///   walk.
  private struct Pool: @unchecked Sendable {
    var plans: [SelectionKey: NormalizationPlan] = [:]
    var cacheKeyForObject: CacheKeyForObject?
    /// Counts the closures: plans that were made for an earlier one do not come back.
    var round = 0
  }
  private let shelf: Lock<Pool>
  private let buffers = RowBuffers()

  /// Programs have few selections, but may use them with any number of variables.
  private static let maximumCount = 256

  package init(cacheKeyForObject: CacheKeyForObject?) {
    shelf = Lock(Pool(cacheKeyForObject: cacheKeyForObject))
  }

  /// Gives objects a key before the schema's configuration is asked. What is under way goes on with
  /// the closure that it began with.
  package var cacheKeyForObject: CacheKeyForObject? {
    get { shelf.withLock { $0.cacheKeyForObject } }
    set {
      let old = shelf.withLock { shelf in
        defer { shelf = Pool(cacheKeyForObject: newValue, round: shelf.round + 1) }
        return shelf
      }
      withExtendedLifetime(old) {}  // released outside the lock
    }
  }

  /// Lends the plan of some selections to `body`.
  package func withPlan<Result>(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    key: SelectionKey? = nil, _ body: (NormalizationPlan) throws -> Result
  ) rethrows -> Result {
    let (plan, recycle) = take(selections, schema: schema, variables: variables, key: key)
    defer { recycle() }
    return try body(plan)
  }

  /// The plan of some selections, and what to do when it is not needed any more.
  package func take(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    key: SelectionKey? = nil
  ) -> (NormalizationPlan, recycle: () -> Void) {
    let key = key ?? SelectionKey(selections, schema: schema, variables: variables)
    let (known, round, cacheKeyForObject) = shelf.withLock {
      ($0.plans.removeValue(forKey: key), $0.round, $0.cacheKeyForObject)
    }
    let plan =
      known
      ?? NormalizationPlan(
        selections, schema: schema, variables: variables, cacheKeyForObject: cacheKeyForObject,
        buffers: buffers)
    return (plan, { self.recycle(plan, key, round) })
  }

  private func recycle(_ plan: NormalizationPlan, _ key: SelectionKey, _ round: Int) {
    let old = shelf.withLock { shelf in
      guard shelf.round == round else { return [key: plan] }
      // A full shelf is emptied: what is in use comes back soon.
      let old = shelf.plans.count >= Self.maximumCount ? shelf.plans : [:]
      if !old.isEmpty { shelf.plans = [:] }
      shelf.plans[key] = plan
      return old
    }
    withExtendedLifetime(old) {}  // released outside the lock
  }
}

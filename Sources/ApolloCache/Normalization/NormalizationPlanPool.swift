package import ApolloAPI

/// A pool of normalization plans for selections with the values of their variables.
///
/// A reading or writing takes a plan and recycles it, so that a plan has one user at a time. A
/// second user at the same time gets a plan of its own.
package final class NormalizationPlanPool: Sendable {
  /// - Note: `@unchecked Sendable` because a plan is either here, behind the lock, or has one user.
  private struct Pool: @unchecked Sendable {
    var plans: [SelectionKey: (plan: NormalizationPlan, lastUse: UInt64)] = [:]
    var useCount: UInt64 = 0
    var cacheKeyForObject: CacheKeyForObject?
    /// The number of closures so far. Plans of an earlier closure are not taken back.
    var round = 0

    /// Removes the least recently used quarter of the plans, and returns them.
    ///
    /// - Complexity: O(*n* log *n*) for a quarter of *n* plans, so O(log *n*) for each new plan.
    mutating func removeLeastRecentlyUsed() -> [NormalizationPlan] {
      let oldest = plans.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(plans.count / 4 + 1)
      return oldest.compactMap { plans.removeValue(forKey: $0.key)?.plan }
    }
  }
  private let pool: Lock<Pool>
  private let buffers = RowBuffers()
  /// Beside the pool, so that commits by the program do not wait for readings.
  private let maxAgesWereMet = Lock(false)

  /// The largest number of plans. When there are more, the least recently used quarter is released.
  /// Programs have few selections, but any number of variables.
  private static let maximumCount = 256

  package init(cacheKeyForObject: CacheKeyForObject?) {
    pool = Lock(Pool(cacheKeyForObject: cacheKeyForObject))
  }

  /// The closure that gives objects their keys before the schema does. A reading or writing that
  /// has started keeps its closure.
  package var cacheKeyForObject: CacheKeyForObject? {
    get { pool.withLock { $0.cacheKeyForObject } }
    set {
      let old = pool.withLock { pool in
        defer { pool = Pool(cacheKeyForObject: newValue, round: pool.round + 1) }
        return pool
      }
      withExtendedLifetime(old) {}  // released outside the lock
    }
  }

  /// Indicates whether there was a plan for a schema with maximum ages.
  var haveMaxAges: Bool { maxAgesWereMet.get() }

  /// Runs `body` with the plan of a selection.
  package func withPlan<Result>(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    key: SelectionKey? = nil, _ body: (NormalizationPlan) throws -> Result
  ) rethrows -> Result {
    let (plan, recycle) = take(selections, schema: schema, variables: variables, key: key)
    defer { recycle() }
    return try body(plan)
  }

  /// Returns the plan of a selection and the closure that recycles it.
  package func take(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    key: SelectionKey? = nil
  ) -> (NormalizationPlan, recycle: () -> Void) {
    let key = key ?? SelectionKey(selections, schema: schema, variables: variables)
    let (known, round, cacheKeyForObject) = pool.withLock {
      ($0.plans.removeValue(forKey: key)?.plan, $0.round, $0.cacheKeyForObject)
    }
    let plan =
      known
      ?? makePlan(
        selections, schema: schema, variables: variables, cacheKeyForObject: cacheKeyForObject)
    return (plan, { self.recycle(plan, key, round) })
  }

  private func makePlan(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?,
    cacheKeyForObject: CacheKeyForObject?
  ) -> NormalizationPlan {
    if schema.hasMaxAges { maxAgesWereMet.withLock { $0 = true } }
    return NormalizationPlan(
      selections, schema: schema, variables: variables, cacheKeyForObject: cacheKeyForObject,
      buffers: buffers)
  }

  private func recycle(_ plan: NormalizationPlan, _ key: SelectionKey, _ round: Int) {
    let old = pool.withLock { pool -> [NormalizationPlan] in
      guard pool.round == round else { return [plan] }
      let old = pool.plans.count >= Self.maximumCount ? pool.removeLeastRecentlyUsed() : []
      pool.useCount += 1
      pool.plans[key] = (plan, pool.useCount)
      return old
    }
    withExtendedLifetime(old) {}  // released outside the lock
  }
}

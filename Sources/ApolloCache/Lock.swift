#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A value behind a mutual exclusion lock.
///
/// Critical sections must be short and must not call code that is not ours.
/// (`Synchronization.Mutex` needs newer systems than we support.)
package final class Lock<Value>: Sendable {
  #if canImport(Darwin)
    private typealias Primitive = os_unfair_lock
  #else
    private typealias Primitive = pthread_mutex_t
  #endif

  // `nonisolated(unsafe)` because `primitive` guards `value`, and both are reached through
  // `withLock` only. They live outside the object because a lock must not move, and so that no
  // exclusivity check stands between lock and value.
  nonisolated(unsafe) private let primitive: UnsafeMutablePointer<Primitive>
  nonisolated(unsafe) private let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming sending Value) {
    primitive = .allocate(capacity: 1)
    value = .allocate(capacity: 1)
    primitive.initialize(to: Primitive())
    value.initialize(to: initial)
    #if !canImport(Darwin)
      pthread_mutex_init(primitive, nil)
    #endif
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if canImport(Darwin)
      os_unfair_lock_lock(primitive)
      defer { os_unfair_lock_unlock(primitive) }
    #else
      pthread_mutex_lock(primitive)
      defer { pthread_mutex_unlock(primitive) }
    #endif
    return try body(&value.pointee)
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(primitive)
    #endif
    value.deinitialize(count: 1).deallocate()
    primitive.deinitialize(count: 1).deallocate()
  }
}

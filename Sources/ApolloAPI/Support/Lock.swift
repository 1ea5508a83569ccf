#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A value behind a mutual exclusion lock, which is held while ``withLock(_:)`` runs its closure.
///
/// Critical sections are short, do not suspend and do not call code of the program.
/// `Synchronization.Mutex` requires newer Apple systems than this package supports.
///
/// ```swift
/// let count = Lock(0)
/// count.withLock { $0 += 1 }
/// ```
package final class Lock<Value>: Sendable {
  @usableFromInline let primitive: LockPrimitive

  // `nonisolated(unsafe)` because `primitive` guards the value, which is reached through `withLock`
  // only. The value lives outside the object, because the runtime checks every access to a stored
  // variable of a class for exclusivity, which costs as much as the lock.
  @usableFromInline nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

  /// Creates a lock that guards `initial`.
  @inlinable
  package init(_ initial: consuming sending Value) {
    primitive = LockPrimitive()
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
  }

  @inlinable
  deinit {
    value.deinitialize(count: 1).deallocate()
    primitive.destroy()
  }

  // `@inline(__always)` because the compiler otherwise calls the generic function from other
  // modules, which copies the result through a value witness.

  /// Calls `body` with the value while no other thread has access to it.
  @inlinable
  @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    primitive.lock()
    defer { primitive.unlock() }
    return try body(&value.pointee)
  }

  /// Returns the current value.
  @inlinable
  package func get() -> Value { withLock { $0 } }

  /// Replaces the value and returns the previous one.
  @inlinable
  package func exchange(_ new: Value) -> Value {
    withLock { value in
      defer { value = new }
      return value
    }
  }
}

/// The lock of the system, at a fixed address.
///
/// Not generic, so that other modules specialize ``Lock`` without importing the system's headers.
///
/// `@unchecked Sendable` because the system synchronizes every access through the pointer.
@usableFromInline
package struct LockPrimitive: @unchecked Sendable {
  #if canImport(Darwin)
    private let address: UnsafeMutablePointer<os_unfair_lock>
  #else
    private let address: UnsafeMutablePointer<pthread_mutex_t>
  #endif

  @usableFromInline
  package init() {
    address = .allocate(capacity: 1)
    address.initialize(to: .init())
    #if !canImport(Darwin)
      pthread_mutex_init(address, nil)
    #endif
  }

  /// Frees the memory of the lock, which no thread may hold.
  @usableFromInline
  package func destroy() {
    #if !canImport(Darwin)
      pthread_mutex_destroy(address)
    #endif
    address.deinitialize(count: 1).deallocate()
  }

  @usableFromInline
  package func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(address)
    #else
      pthread_mutex_lock(address)
    #endif
  }

  /// Locks and returns `true`, or returns `false` if the lock is held.
  @usableFromInline
  package func tryLock() -> Bool {
    #if canImport(Darwin)
      os_unfair_lock_trylock(address)
    #else
      pthread_mutex_trylock(address) == 0
    #endif
  }

  @usableFromInline
  package func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(address)
    #else
      pthread_mutex_unlock(address)
    #endif
  }
}

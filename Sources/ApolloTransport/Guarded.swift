internal import Foundation

/// A value behind a lock. Critical sections are short and call nothing of the user's.
///
/// `Synchronization.Mutex` would do, but needs newer Apple systems than this package supports.
// `@unchecked Sendable` because `value` is reached only while `lock` is held.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// The value as it is now.
  package func get() -> Value { withLock { $0 } }

  /// Puts `new` in place of the value, which is returned.
  package func exchange(_ new: Value) -> Value {
    withLock { value in
      defer { value = new }
      return value
    }
  }
}

internal import Foundation

/// A value behind a lock. Critical sections are short and call nothing of the user's.
///
/// `@unchecked Sendable` because `value` is reached only while `lock` is held.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// In memory of its own: for a variable of a class, the runtime would note at each access who has access to it, which costs as
  /// much as the lock, and which the lock has settled.
  private let value: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value.pointee)
  }
}

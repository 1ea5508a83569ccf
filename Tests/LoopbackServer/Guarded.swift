import Foundation

/// A value behind a lock. Critical sections are short and call nothing of the user's.
// `@unchecked Sendable` because `value` is reached only while `lock` is held.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

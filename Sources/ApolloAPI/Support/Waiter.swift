/// A task that waits for one value: a `CheckedContinuation` of known layout.
///
/// The layout of the library's type is unknown to the compiler, because it may change without this
/// package. So would be the layout of everything that stores one, and a lock that guards it would
/// look that up whenever it is taken.
package struct Waiter<Value: Sendable>: Sendable {
  @usableFromInline enum Storage: Sendable {
    indirect case continuation(CheckedContinuation<Value, any Error>)
  }

  @usableFromInline let storage: Storage

  @inlinable
  package init(_ continuation: CheckedContinuation<Value, any Error>) {
    storage = .continuation(continuation)
  }

  /// Lets the task go on. To be called once.
  @inlinable
  @inline(__always)
  package func resume(with result: Result<Value, any Error>) {
    switch storage {
    case .continuation(let continuation): continuation.resume(with: result)
    }
  }

  /// Lets the task go on with a value. To be called once.
  @inlinable
  @inline(__always)
  package func resume(returning value: Value) { resume(with: .success(value)) }

  /// Lets the task go on with an error. To be called once.
  @inlinable
  @inline(__always)
  package func resume(throwing error: any Error) { resume(with: .failure(error)) }
}

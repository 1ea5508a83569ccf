import Foundation

/// The errors of writes to standard output.
///
/// `@unchecked Sendable` because `lock` guards all mutable state.
final class OutputErrors: @unchecked Sendable {
  private let lock = NSLock()
  private var code: Int32?

  /// The first error code, or `nil` if there was no error.
  var first: Int32? { lock.withLock { code } }

  func record(_ code: Int32) {
    lock.withLock { self.code = self.code ?? code }
  }
}

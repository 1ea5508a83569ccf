package import Foundation

/// The value of a `Retry-After` header: a number of seconds, or a date (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// Reads the value of a header.
  ///
  /// - Parameters:
  ///   - text: The value of the header.
  ///   - date: The value of the response's `Date` header, from which a date counts. A clock of this
  ///     device that is wrong then does no harm.
  ///   - now: The time from which a date counts if there is no `Date`.
  /// - Returns: The time to wait, or `nil` if there is no valid value.
  package static func delay(_ text: String?, date: String?, now: Date) -> Duration? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return .seconds(min(Int64(text) ?? .max, longest))
    }
    guard let time = HTTPDate.seconds(text) else { return nil }
    let start = date.flatMap(HTTPDate.seconds) ?? Int64(now.timeIntervalSince1970)
    return .seconds(max(0, time - start))
  }

  /// The longest delay in seconds. Larger numbers mean the same: the server wants no retry.
  static let longest: Int64 = 1_000_000_000_000
}

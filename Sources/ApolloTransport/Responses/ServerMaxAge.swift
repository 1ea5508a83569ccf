package import Foundation

/// The time for which a server allows to use a response again (RFC 9111, sections 4.2 and 5).
package struct ServerMaxAge {
  /// The time, from now on, or `nil` if the server does not say.
  ///
  /// `max-age` takes precedence over `Expires`. The time that the response has spent in caches on
  /// the way (`Age`) is subtracted.
  package let duration: Duration?
  /// Indicates whether `no-store` or `no-cache` forbid to use the response again.
  package private(set) var forbidsReuse = false

  /// Reads the headers of a response. A value that cannot be understood counts as if it was not
  /// there.
  ///
  /// - Parameters:
  ///   - headers: The headers by lower-case name.
  ///   - now: The time from which `Expires` counts if there is no `Date`.
  package init(_ headers: [String: String], now: Date) {
    var maxAge: Int64?
    for part in (headers["cache-control"] ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      switch pair.first?.lowercased() {
      case "max-age":
        let value = pair.count > 1 ? pair[1].trimmingCharacters(in: ["\""]) : ""
        guard let seconds = Self.seconds(value) else { continue }
        maxAge = min(maxAge ?? seconds, seconds)
      case "no-store", "no-cache": forbidsReuse = true
      default: break
      }
    }
    let lifetime = maxAge ?? headers["expires"].map { Self.lifetime($0, headers["date"], now) }
    // Of several values, the first one counts (section 5.1).
    let age = headers["age"]?.split(separator: ",").first.flatMap { Self.seconds(String($0)) } ?? 0
    duration = lifetime.map { .seconds(max(0, $0 - age)) }
  }

  /// An invalid date, such as 0, is in the past (section 5.3).
  private static func lifetime(_ expires: String, _ date: String?, _ now: Date) -> Int64 {
    guard let end = HTTPDate.seconds(expires) else { return 0 }
    return end - (date.flatMap(HTTPDate.seconds) ?? Int64(now.timeIntervalSince1970))
  }

  /// The longest time that a number of seconds can mean (section 1.2.2).
  private static let longest = Int64(1) << 31

  private static func seconds(_ text: String) -> Int64? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(Int64(text) ?? longest, longest)
  }
}

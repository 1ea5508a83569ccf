/// Dates in headers (RFC 9110, section 5.6.7).
///
/// | form | example |
/// | :-- | :-- |
/// | IMF-fixdate | `Sun, 06 Nov 1994 08:49:37 GMT` |
/// | RFC 850 | `Sunday, 06-Nov-94 08:49:37 GMT` |
/// | asctime | `Sun Nov  6 08:49:37 1994` |
///
/// The name of the weekday is not checked.
enum HTTPDate {
  /// Returns the seconds since the beginning of 1970, or `nil` if `text` is not a date.
  static func seconds(_ text: String) -> Int64? {
    // No date is longer. A comma and the hyphens of RFC 850 separate like spaces.
    guard text.utf8.count <= 40 else { return nil }
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    switch words.count {
    case 6 where words[5] == "GMT":
      return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
    case 5: return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
    default: return nil
    }
  }

  private static func seconds(
    day: Substring, month: Substring, year: Substring, time: Substring
  ) -> Int64? {
    guard let day = number(day, 1...31), let year = number(year, 0...9999).map(fullYear),
      let month = months.firstIndex(of: String(month))
    else { return nil }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    // 60 is a leap second.
    guard parts.count == 3, let hour = number(parts[0], 0...23),
      let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
    else { return nil }
    let days = daysSince1970(year: year, month: Int64(month) + 1, day: day)
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int64(text), range.contains(number)
    else { return nil }
    return number
  }

  /// Two digits mean the years from 1970 to 2069.
  private static func fullYear(_ year: Int64) -> Int64 {
    switch year {
    case 0..<70: 2_000 + year
    case 70..<100: 1_900 + year
    default: year
    }
  }

  /// The number of days in the Gregorian calendar, with years that begin in March.
  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    return 365 * year + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
  }
}

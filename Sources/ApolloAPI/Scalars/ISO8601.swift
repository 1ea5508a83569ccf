/// Dates and times of ISO 8601 as servers write them (RFC 3339): `2026-11-20T12:30:00.5+01:00`.
///
/// Seconds are counted from 2001-01-01T00:00:00Z, as `Date` does, so that as many digits as
/// possible survive. Whole seconds are a `Double` as well, which holds them exactly: `Int` has 32
/// bits on Apple Watch, enough for 68 years.
enum ISO8601 {
  /// Returns the seconds of a date and time with a time zone, or `nil` for any other text.
  ///
  /// A year has four digits, or a sign and six; the fraction has any number of digits. A leap
  /// second counts as the second after it.
  static func seconds(of text: String) -> Double? {
    var scanner = Scanner(text)
    guard let day = scanner.day(), scanner.take("T", "t"), let time = scanner.time(),
      let offset = scanner.offset(), scanner.isAtEnd
    else { return nil }
    return Double(day) * 86400 + Double(time.seconds - offset) + time.fraction
  }

  /// Returns the seconds of a date and time, or of a date, and whether the text has a time zone.
  /// Without one, the seconds are those in UTC.
  ///
  /// A blank may take the place of the `T`, and the time may have no seconds.
  static func lenientSeconds(of text: String) -> (seconds: Double, hasZone: Bool)? {
    var scanner = Scanner(text)
    guard let day = scanner.day() else { return nil }
    if scanner.isAtEnd { return (Double(day) * 86400, false) }
    guard scanner.take("T", "t", " "), let time = scanner.time(needsSeconds: false) else {
      return nil
    }
    let seconds = Double(day) * 86400 + Double(time.seconds) + time.fraction
    if scanner.isAtEnd { return (seconds, false) }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    return (seconds - Double(offset), true)
  }

  /// Returns the text of a point in time in UTC, or `nil` for NaN and for years with more than six
  /// digits.
  ///
  /// The fraction has as many digits as the exact value requires, three, six or nine if possible.
  /// Only points within a nanosecond before 2001 are not exact.
  static func text(_ seconds: Double) -> String? {
    // Years up to this point have at most six digits.
    let greatest = 31_556_952 * 990_000.0
    guard seconds.magnitude < greatest else { return nil }
    for (positions, scale) in [(0, 1), (3, 1e3), (6, 1e6), (9, 1e9)] {
      let (whole, units) = split(seconds, scale)
      let text = text(whole, positions == 0 ? "" : "." + padded(units, positions))
      if self.seconds(of: text) == seconds { return text }
    }
    let whole = seconds.rounded(.down), fraction = seconds - whole
    return fraction < 1 ? text(whole, "." + decimals(of: fraction)) : text(whole + 1, "")
  }

  /// Returns the whole seconds of a point in time, and the rest in units of which a second has
  /// `scale`.
  private static func split(_ seconds: Double, _ scale: Double) -> (whole: Double, units: Int) {
    let whole = seconds.rounded(.down)
    let units = ((seconds - whole) * scale).rounded()
    return units == scale ? (whole + 1, 0) : (whole, Int(units))
  }

  private static func text(_ seconds: Double, _ fraction: String) -> String {
    let days = (seconds / 86400).rounded(.down)
    let rest = Int(seconds - days * 86400)
    let (year, month, day) = date(Int(days))
    var text = padded(year, 4)
    if !(0...9999).contains(year) { text = (year < 0 ? "-" : "+") + padded(abs(year), 6) }
    text += "-\(padded(month, 2))-\(padded(day, 2))T"
    text += "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    return text + fraction + "Z"
  }

  /// Returns the digits after the point of a number below 1.
  private static func decimals(of fraction: Double) -> String {
    let parts = fraction.description.split(separator: "e")
    let digits = parts[0].filter { $0 != "." }
    guard parts.count == 2, let exponent = Int(parts[1]) else { return String(digits.dropFirst()) }
    return String(repeating: "0", count: -exponent - 1) + digits
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // MARK: - The Gregorian calendar

  /// Returns the days from 2001-01-01 to a date.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years begin in March here, so that leap days come last (after Howard Hinnant,
    // "chrono-Compatible Low-Level Date Algorithms").
    let year = month > 2 ? year : year - 1
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
  }

  /// Returns the date a number of days after 2001-01-01.
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + 730_791
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func lastDay(_ year: Int, _ month: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    if month == 2 { return isLeap ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  // MARK: - Reading

  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ characters: Unicode.Scalar...) -> Bool {
      guard let first = rest.first, characters.contains(Unicode.Scalar(first)) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digits(_ count: Int, in range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
      rest.removeFirst(count)
      let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      return range.contains(value) ? value : nil
    }

    /// Reads a date as the number of days after 2001-01-01.
    mutating func day() -> Int? {
      guard let year = year(), take("-"), let month = digits(2, in: 1...12), take("-"),
        let day = digits(2, in: 1...ISO8601.lastDay(year, month))
      else { return nil }
      return ISO8601.days(year, month, day)
    }

    /// Reads a time of day as whole seconds and a fraction.
    mutating func time(needsSeconds: Bool = true) -> (seconds: Int, fraction: Double)? {
      guard let hour = digits(2, in: 0...23), take(":"), let minute = digits(2, in: 0...59) else {
        return nil
      }
      let minutes = hour * 3600 + minute * 60
      guard take(":") else { return needsSeconds ? nil : (minutes, 0) }
      guard let second = digits(2, in: 0...60), let fraction = fraction() else { return nil }
      return (minutes + second, fraction)
    }

    mutating func year() -> Int? {
      if take("-") { return digits(6, in: 1...999_999).map(-) }
      return take("+") ? digits(6, in: 0...999_999) : digits(4, in: 0...9999)
    }

    /// Reads `.5`, or nothing for zero.
    mutating func fraction() -> Double? {
      guard take(".", ",") else { return 0 }
      let digits = rest.prefix(while: \.isASCIIDigit)
      guard !digits.isEmpty else { return nil }
      rest.removeFirst(digits.count)
      return Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// Reads `Z`, `+01:00`, `+0100` or `+01` as seconds.
    mutating func offset() -> Int? {
      if take("Z", "z") { return 0 }
      let isNegative = rest.first == UInt8(ascii: "-")
      guard take("+", "-"), let hours = digits(2, in: 0...23) else { return nil }
      var seconds = hours * 3600
      let hasColon = take(":")
      if hasColon || !isAtEnd {
        guard let minutes = digits(2, in: 0...59) else { return nil }
        seconds += minutes * 60
      }
      return isNegative ? -seconds : seconds
    }
  }
}

internal import Foundation

/// A decimal number as it is written.
struct DecimalText {
  /// The digits from the first that is not zero.
  private let digits: Substring
  /// The number of these digits and further zeros before the point.
  private let wholeCount: Int

  /// Finds the digits of a number: `-12.50e3`, `.5` or `+007`. `nil` for any other text.
  init?(_ text: String) {
    var rest = text[...]
    _ = rest.take("+-")
    let whole = rest.takeDigits()
    let fraction = rest.take(".") ? rest.takeDigits() : ""
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = 0
    if rest.take("eE") {
      let isNegative = rest.utf8.first == UInt8(ascii: "-")
      _ = rest.take("+-")
      guard let power = Int(rest.takeDigits()), power < 1_000_000 else { return nil }
      exponent = isNegative ? -power : power
    }
    guard rest.isEmpty else { return nil }
    digits = (whole + fraction).drop { $0 == "0" }
    wholeCount = digits.utf8.count - fraction.utf8.count + exponent
  }

  /// Returns whether a `Decimal` that was read from this text has kept all digits before the point.
  func hasWholeDigits(of number: Decimal) -> Bool {
    guard wholeCount > 38, !digits.isEmpty else { return true }  // 38 digits always fit
    let known = digits.prefix(wholeCount)
    let zeros = String(repeating: "0", count: wholeCount - known.utf8.count)
    return number.magnitude.description.prefix { $0 != "." } == known + zeros
  }
}

extension Substring {
  /// Removes the first character if it is one of these.
  fileprivate mutating func take(_ characters: String) -> Bool {
    guard let first = utf8.first, characters.utf8.contains(first) else { return false }
    self = Substring(utf8.dropFirst())
    return true
  }

  /// Removes the ASCII digits at the beginning, and returns them.
  fileprivate mutating func takeDigits() -> Substring {
    let digits = Substring(utf8.prefix(while: \.isASCIIDigit))
    self = Substring(utf8.dropFirst(digits.utf8.count))
    return digits
  }
}

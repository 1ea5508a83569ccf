extension JSONReader {
  /// A number in its written form.
  struct Number {
    /// The digits as one integer, without the point; meaningless when there are more than 19.
    var digits: UInt64 = 0
    /// The number of digits without leading zeros.
    var digitCount = 0
    /// The power of ten to multiply `digits` with.
    var exponent = 0
    var isNegative = false
    /// `true` without a fraction and an exponent.
    var isInteger = true
    var text: UnsafeBufferPointer<UInt8>
  }

  /// Reads an integer. Accepts any number of integral value, such as `1.0` and `1e3`.
  @inline(__always)
  mutating func readInt() throws(ReadFailure) -> Int {
    let start = cursor
    let isNegative = consume(UInt8(ascii: "-"))
    let first = cursor
    let value = readDigits(after: 0)
    let count = cursor - first
    let isPlain = next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e")
    // Up to 18 digits cannot overflow `value`; a leading zero must be the only digit. On Apple
    // Watch, `Int` has 32 bits.
    if isPlain, count > 0, count <= 18, count == 1 || first.pointee != UInt8(ascii: "0"),
      let magnitude = Int(exactly: value)
    {
      return isNegative ? -magnitude : magnitude
    }
    cursor = start
    return try readUnusualInt()
  }

  @inline(never)
  private mutating func readUnusualInt() throws(ReadFailure) -> Int {
    guard next == UInt8(ascii: "-") || next.isASCIIDigit else {
      throw wrongType(expected: "an integer")
    }
    let start = cursor
    let number = try readNumber()
    switch number.integral {
    case .value(let value): return value
    case .outOfRange: throw failure(.numberOutOfRange(number.string), at: start)
    case .fraction:
      throw failure(
        .wrongType(expected: "an integer", found: "the number \(number.string)"), at: start)
    }
  }

  /// Reads a number as the nearest `Double`.
  @inline(__always)
  mutating func readDouble() throws(ReadFailure) -> Double {
    let start = cursor
    let isNegative = consume(UInt8(ascii: "-"))
    let first = cursor
    var digits = readDigits(after: 0)
    let wholeCount = cursor - first
    var fractionCount = 0
    if wholeCount > 0, consume(UInt8(ascii: ".")) {
      let firstOfFraction = cursor
      digits = readDigits(after: digits)
      fractionCount = cursor - firstOfFraction
    }
    // Up to 15 digits and their power of ten are exact, so that one division gives the nearest
    // value. A leading zero must be the only whole digit.
    let isUsual =
      wholeCount > 0 && (wholeCount == 1 || first.pointee != UInt8(ascii: "0"))
      && wholeCount &+ fractionCount <= 15 && cursor[-1] != UInt8(ascii: ".")
      && next | 0x20 != UInt8(ascii: "e")
    guard isUsual else {
      cursor = start
      return try readUnusualDouble()
    }
    let magnitude = Double(Int64(bitPattern: digits))
    let value = fractionCount == 0 ? magnitude : magnitude / powersOfTen[fractionCount]
    return isNegative ? -value : value
  }

  /// Appends the next digits to an integer, which overflows after 19 digits.
  @inline(__always)
  private mutating func readDigits(after digits: UInt64) -> UInt64 {
    var value = digits
    while next.isASCIIDigit {
      value = value &* 10 &+ UInt64(next &- UInt8(ascii: "0"))
      cursor += 1
    }
    return value
  }

  @inline(never)
  private mutating func readUnusualDouble() throws(ReadFailure) -> Double {
    guard next == UInt8(ascii: "-") || next.isASCIIDigit else {
      throw wrongType(expected: "a number")
    }
    let start = cursor
    let number = try readNumber()
    guard let value = number.double else {
      throw failure(.numberOutOfRange(number.string), at: start)
    }
    return value
  }

  /// Reads a number; the next byte is its first.
  mutating func readNumber() throws(ReadFailure) -> Number {
    let start = cursor
    var number = Number(text: UnsafeBufferPointer(start: start, count: 0))
    number.isNegative = consume(UInt8(ascii: "-"))
    if consume(UInt8(ascii: "0")) {
      guard !next.isASCIIDigit else { throw malformed("expected no digit after a leading zero") }
    } else {
      guard next.isASCIIDigit else { throw malformed("expected a digit") }
      readDigits(into: &number)
    }
    if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
      try readFractionAndExponent(into: &number)
    }
    number.text = UnsafeBufferPointer(start: start, count: cursor - start)
    return number
  }

  private mutating func readFractionAndExponent(into number: inout Number) throws(ReadFailure) {
    number.isInteger = false
    if consume(UInt8(ascii: ".")) {
      guard next.isASCIIDigit else { throw malformed("expected a digit after the point") }
      let first = cursor
      readDigits(into: &number)
      number.exponent = first - cursor
    }
    if next | 0x20 == UInt8(ascii: "e") { try readExponent(into: &number) }
  }

  @inline(__always)
  private mutating func readDigits(into number: inout Number) {
    while next.isASCIIDigit {
      number.digits = number.digits &* 10 &+ UInt64(next &- UInt8(ascii: "0"))
      if number.digits != 0 { number.digitCount += 1 }
      cursor += 1
    }
  }

  private mutating func readExponent(into number: inout Number) throws(ReadFailure) {
    cursor += 1
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { cursor += 1 }
    guard next.isASCIIDigit else { throw malformed("expected a digit in the exponent") }
    var exponent = 0
    while next.isASCIIDigit {
      if exponent < 100_000 { exponent = exponent * 10 + Int(next - UInt8(ascii: "0")) }
      cursor += 1
    }
    number.exponent += isNegative ? -exponent : exponent
  }
}

extension JSONReader.Number {
  var string: String { String(decoding: text, as: UTF8.self) }

  /// The value, if it is written as an integer and fits.
  var int: Int? { isInteger ? Int(string) : nil }

  /// The exact value as an integer, in whichever form it is written.
  var integral: Integral {
    if isInteger { return int.map(Integral.value) ?? .outOfRange }
    guard digitCount > 0 else { return .value(0) }
    // The twentieth digit can make the digits wrap around to exactly zero, which is then not
    // counted.
    guard digitCount <= 19, digits != 0 else { return integralOfManyDigits }
    var magnitude = digits
    var power = exponent
    // Both loops end after some twenty steps, when the digits are used up or do not fit any more.
    while power < 0 {
      let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
      guard remainder == 0 else { return .fraction }
      (magnitude, power) = (quotient, power + 1)
    }
    while power > 0 {
      let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
      guard !overflows else { return .outOfRange }
      (magnitude, power) = (product, power - 1)
    }
    guard let value = Int(exactly: magnitude) else {
      return isNegative && magnitude == Int.min.magnitude ? .value(.min) : .outOfRange
    }
    return .value(isNegative ? -value : value)
  }

  /// With more than 19 digits, the nearest `Double` decides, provided that it identifies one
  /// integer.
  private var integralOfManyDigits: Integral {
    guard let value = double else { return .outOfRange }
    guard value == value.rounded() else { return .fraction }
    guard abs(value) <= 0x1p53, let integer = Int(exactly: value) else { return .outOfRange }
    return .value(integer)
  }

  /// The result of converting a number to an integer.
  enum Integral {
    case value(Int)
    case outOfRange
    case fraction
  }

  /// The value, if one correctly rounded operation gives it: the digits and the power of ten are
  /// both exact.
  private var exactDouble: Double? {
    guard digitCount <= 15, exponent >= -22, exponent <= 22 else { return nil }
    let magnitude = Double(Int64(bitPattern: digits))
    let power = powersOfTen[abs(exponent)]
    let value = exponent < 0 ? magnitude / power : magnitude * power
    return isNegative ? -value : value
  }

  /// The nearest value, or `nil` when the number is too large.
  var double: Double? {
    guard let value = exactDouble ?? Double(string), value.isFinite else { return nil }
    return value
  }

  /// The number as a JSON value without loss of digits.
  var jsonValue: JSONValue {
    // Integers have no sign of zero. Many digits can wrap around to zero.
    if isNegative, digits == 0, digitCount == 0, exponent == 0 { return .double(-0.0) }
    if isInteger, let value = Int64(string) { return .int(value) }
    if !isInteger, digitCount <= 17, let value = double, digitCount <= 15 || isText(of: value) {
      return .double(value)
    }
    return .decimal(string)
  }

  /// Returns whether a `Double` has all digits of this number: its shortest text has the same
  /// digits and the same power of ten. A `Double` rounds most numbers of 16 and 17 digits. Only for
  /// numbers of at most 17.
  private func isText(of value: Double) -> Bool {
    var digits: UInt64 = 0
    var exponent = 0
    var isFraction = false
    let parts = value.magnitude.description.split(separator: "e")
    for byte in parts[0].utf8 {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else {
        digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      }
    }
    if parts.count > 1 { exponent += Int(parts[1]) ?? 0 }
    return Self.withoutZeros(digits, exponent) == Self.withoutZeros(self.digits, self.exponent)
  }

  /// The digits without zeros at the end, and the power of ten to multiply them with.
  private static func withoutZeros(_ digits: UInt64, _ exponent: Int) -> (UInt64, Int) {
    guard digits > 0 else { return (0, 0) }
    var (digits, exponent) = (digits, exponent)
    while digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    return (digits, exponent)
  }
}

extension JSONReader {
  /// Returns the number in `text`, or the text itself when it is not a number.
  static func number(_ text: String) -> JSONValue {
    let bytes = Array(text.utf8)
    let value = try? bytes.withUnsafeBytes { bytes throws(ReadFailure) in
      try withReader(over: bytes, limits: ResponseLimits()) { reader throws(ReadFailure) in
        let number = try reader.readNumber().jsonValue
        try reader.expectEnd()
        return number
      }
    }
    return value ?? .decimal(text)  // callers pass numbers only
  }
}

/// 10^0 … 10^22, which `Double` holds exactly.
private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

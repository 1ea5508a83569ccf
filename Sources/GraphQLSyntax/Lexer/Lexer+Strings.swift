extension Lexer {
  /// Reads StringValue. The lexer finds its end and checks its escapes, but does not decode it.
  ///
  /// Spec: 2.9.4, "String Value".
  mutating func string() -> Token {
    let start = position
    if bytes[start + 1] == UInt8(ascii: "\"") {
      position += 2
      guard bytes[position] == UInt8(ascii: "\"") else {
        return Token(kind: .string, span: span(from: start))
      }
      position += 1
      return blockString(from: start)
    }
    position += 1
    return quotedString(from: start)
  }

  private mutating func quotedString(from start: Int) -> Token {
    var firstProblem: (LexicalProblem, Int)?
    while position < count {
      let word = bytes.word(at: position)
      let stop =
        WordScan.mask(of: UInt8(ascii: "\""), in: word)
        | WordScan.mask(of: UInt8(ascii: "\\"), in: word)
        | WordScan.mask(of: UInt8(ascii: "\n"), in: word)
        | WordScan.mask(of: UInt8(ascii: "\r"), in: word)
      guard stop != 0 else {
        position += 8
        continue
      }
      position += WordScan.firstIndex(in: stop)
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        if let (problem, errorIndex) = firstProblem {
          return invalid(problem, from: start, at: errorIndex)
        }
        return Token(kind: .string, span: span(from: start))
      case UInt8(ascii: "\\"):
        switch escape(at: position) {
        case .success(let escape):
          position += escape.length
        case .failure(let problem):
          firstProblem = firstProblem ?? (problem, position)
          position += bytes[position + 1].isLineTerminator ? 1 : min(2, count - position)
        }
      default:
        return unterminated(from: start, firstProblem)
      }
    }
    position = count
    return unterminated(from: start, firstProblem)
  }

  private mutating func unterminated(
    from start: Int, _ firstProblem: (LexicalProblem, Int)?
  ) -> Token {
    let (problem, errorIndex) = firstProblem ?? (.unterminatedString, position)
    return invalid(problem, from: start, at: errorIndex)
  }

  private mutating func blockString(from start: Int) -> Token {
    while position < count {
      let quotes = VectorScan.words(
        VectorScan.marks(of: UInt8(ascii: "\""), in: VectorScan.load(bytes, at: position)))
      position += VectorScan.firstIndex(quotes)
      guard quotes.low | quotes.high != 0 else { continue }
      guard isTripleQuote(at: position) else {
        position += 1
        continue
      }
      position += 3
      // Because a backslash never belongs to a preceding escape in a block string, it escapes the
      // quotes.
      guard bytes[position - 4] == UInt8(ascii: "\\") else {
        return Token(kind: .blockString, span: span(from: start))
      }
    }
    position = count
    return invalid(.unterminatedString, from: start, at: position)
  }

  @inline(__always)
  private func isTripleQuote(at index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "\"") && bytes[index + 1] == UInt8(ascii: "\"")
      && bytes[index + 2] == UInt8(ascii: "\"")
  }
}

// MARK: - Escapes

/// An escape sequence: the character it represents, and its length in bytes.
struct StringEscape {
  var scalar: Unicode.Scalar
  var length: Int
}

extension LexicalProblem: Error {}

extension Lexer {
  /// Returns the escape sequence whose backslash is at `index`.
  func escape(at index: Int) -> Result<StringEscape, LexicalProblem> {
    let simple: Unicode.Scalar
    switch bytes[index + 1] {
    case UInt8(ascii: "u"):
      let unicode =
        bytes[index + 2] == UInt8(ascii: "{")
        ? variableWidthEscape(at: index) : fixedWidthEscape(at: index)
      return unicode
    case UInt8(ascii: "\""): simple = "\""
    case UInt8(ascii: "\\"): simple = "\\"
    case UInt8(ascii: "/"): simple = "/"
    case UInt8(ascii: "b"): simple = "\u{8}"
    case UInt8(ascii: "f"): simple = "\u{C}"
    case UInt8(ascii: "n"): simple = "\n"
    case UInt8(ascii: "r"): simple = "\r"
    case UInt8(ascii: "t"): simple = "\t"
    default: return .failure(.invalidEscape(text(at: index, scalarCount: 2)))
    }
    return .success(StringEscape(scalar: simple, length: 2))
  }

  /// Reads `\u{` HexDigit+ `}`, a Unicode scalar value of any number of digits.
  private func variableWidthEscape(at index: Int) -> Result<StringEscape, LexicalProblem> {
    var point: UInt32 = 0
    var size = 3
    // The padding after the text contains no hexadecimal digit, so the loop ends there.
    while true {
      let byte = bytes[index + size]
      size += 1
      if byte == UInt8(ascii: "}") {
        guard size >= 5, let scalar = Unicode.Scalar(point) else { break }
        return .success(StringEscape(scalar: scalar, length: size))
      }
      guard let digit = byte.hexDigitValue, point < 0x0800_0000 else { break }
      point = point << 4 | digit
    }
    let shown = min(size, Self.maximumShownEscape)
    return .failure(.invalidUnicodeEscape(text(at: index, scalarCount: shown)))
  }

  /// The maximum number of characters shown of an overlong escape.
  private static let maximumShownEscape = 12

  /// Reads `\u` and four digits, a Unicode scalar value or the first half of a surrogate pair.
  private func fixedWidthEscape(at index: Int) -> Result<StringEscape, LexicalProblem> {
    if let code = fourHexDigits(at: index + 2) {
      if let scalar = Unicode.Scalar(code) {
        return .success(StringEscape(scalar: scalar, length: 6))
      }
      if (0xD800..<0xDC00).contains(code), bytes[index + 6] == UInt8(ascii: "\\"),
        bytes[index + 7] == UInt8(ascii: "u"), let trailing = fourHexDigits(at: index + 8),
        (0xDC00..<0xE000).contains(trailing),
        let scalar = Unicode.Scalar(0x10000 + (code - 0xD800) << 10 + (trailing - 0xDC00))
      {
        return .success(StringEscape(scalar: scalar, length: 12))
      }
    }
    return .failure(.invalidUnicodeEscape(text(at: index, scalarCount: 6)))
  }

  private func fourHexDigits(at index: Int) -> UInt32? {
    var result: UInt32 = 0
    for offset in 0..<4 {
      // The padding after the text contains no hexadecimal digit, so the loop ends there.
      guard let digit = bytes[index + offset].hexDigitValue else { return nil }
      result = result << 4 | digit
    }
    return result
  }

  /// Returns up to `scalarCount` characters at `index`, for use in a message.
  private func text(at index: Int, scalarCount: Int) -> String {
    let rest = UnsafeBufferPointer(start: bytes + index, count: min(count - index, scalarCount * 4))
    return String(
      String.UnicodeScalarView(
        String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(scalarCount)))
  }
}

extension Lexer {
  /// Reads IntValue or FloatValue.
  ///
  /// Spec: 2.9.1, "Int Value", and 2.9.2, "Float Value".
  mutating func number() -> Token {
    let start = position
    var index = start
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    if bytes[index] == UInt8(ascii: "0") {
      index += 1
      if bytes[index].isDigit {
        return invalidNumber(.digitAfterZero(scalar(at: index)), from: start, at: index)
      }
    } else if !skipDigits(&index) {
      return invalidNumber(.expectedDigit(scalar(at: index)), from: start, at: index)
    }
    var kind = Token.Kind.int
    if bytes[index] == UInt8(ascii: ".") {
      kind = .float
      index += 1
      guard skipDigits(&index) else {
        return invalidNumber(.expectedDigit(scalar(at: index)), from: start, at: index)
      }
    }
    if bytes[index] | 0x20 == UInt8(ascii: "e") {
      kind = .float
      index += 1
      if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      guard skipDigits(&index) else {
        return invalidNumber(.expectedDigit(scalar(at: index)), from: start, at: index)
      }
    }
    if bytes[index] == UInt8(ascii: ".") || bytes[index].isNameStart {
      return invalidNumber(.expectedDigit(scalar(at: index)), from: start, at: index)
    }
    position = index
    return Token(kind: kind, span: span(from: start))
  }

  /// Skips digits and returns whether there was at least one.
  private func skipDigits(_ index: inout Int) -> Bool {
    let start = index
    while bytes[index].isDigit { index += 1 }
    return index > start
  }

  /// Returns an invalid token that extends over everything that looks like a part of the number.
  private mutating func invalidNumber(
    _ problem: LexicalProblem, from start: Int, at errorIndex: Int
  ) -> Token {
    var end = errorIndex
    while bytes[end].isDigit || bytes[end].isNameStart || bytes[end] == UInt8(ascii: ".") {
      end += 1
    }
    position = end
    return invalid(problem, from: start, at: errorIndex)
  }
}

extension JSONReader {
  /// Reads any value.
  ///
  /// Of equal keys the last one counts. Takes no stack for nested objects and lists.
  mutating func readValue() throws(ReadFailure) -> JSONValue {
    switch next {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try readContainer()
    default: return try readPlainValue()
    }
  }

  /// Reads a number, a Boolean or null.
  @inline(never)
  private mutating func readPlainValue() throws(ReadFailure) -> JSONValue {
    if next == UInt8(ascii: "-") || next.isASCIIDigit { return try readNumber().jsonValue }
    if let value = consumeBool() { return .bool(value) }
    if consumeNull() { return .null }
    throw malformed("expected a value")
  }

  private mutating func readContainer() throws(ReadFailure) -> JSONValue {
    var values = OpenValues()
    repeat {
      // A value comes next.
      if next == UInt8(ascii: "{") || next == UInt8(ascii: "[") {
        let closing = next + 2  // `}` and `]` are two after `{` and `[`
        try open()
        values.open(closing)
        if next != closing {
          try readKey(ifIn: closing, &values)
          continue
        }
        close()
        values.close()
      } else if next == UInt8(ascii: "\"") {
        values.append(.string(try readString()))
      } else {
        values.append(try readPlainValue())
      }
      // A value ends here.
      while let closing = values.closing {
        if try continues(until: closing) {
          try readKey(ifIn: closing, &values)
          break
        }
        values.close()
      }
    } while values.closing != nil
    return values.result
  }

  private mutating func readKey(
    ifIn closing: UInt8, _ values: inout OpenValues
  ) throws(ReadFailure) {
    if closing == UInt8(ascii: "}") { values.append(key: try readKey()) }
  }

  /// Reads a key and the colon.
  mutating func readKey() throws(ReadFailure) -> String {
    guard next == UInt8(ascii: "\"") else { throw malformed("expected a key") }
    let key = try readString()
    try expectColon()
    return key
  }

  // MARK: - Skipping

  /// Skips a value and checks that it is valid JSON.
  ///
  /// Takes no stack for nested objects and lists.
  mutating func skipValue() throws(ReadFailure) {
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer()
    default: try skipScalar()
    }
  }

  private mutating func skipScalar() throws(ReadFailure) {
    if next == UInt8(ascii: "\"") {
      try skipString()
    } else if next == UInt8(ascii: "-") || next.isASCIIDigit {
      _ = try readNumber()
    } else if consumeBool() == nil, !consumeNull() {
      throw malformed("expected a value")
    }
  }

  private mutating func skipContainer() throws(ReadFailure) {
    var closings = OpenBrackets()
    repeat {
      // A value comes next.
      if next == UInt8(ascii: "{") || next == UInt8(ascii: "[") {
        let closing = next + 2  // `}` and `]` are two after `{` and `[`
        try open()
        if next != closing {
          closings.push(closing)
          try skipKey(ifIn: closing)
          continue
        }
        close()
      } else {
        try skipScalar()
      }
      // A value ends here.
      while let closing = closings.last {
        if try continues(until: closing) {
          try skipKey(ifIn: closing)
          break
        }
        closings.pop()
      }
    } while !closings.isEmpty
  }

  private mutating func skipKey(ifIn closing: UInt8) throws(ReadFailure) {
    guard closing == UInt8(ascii: "}") else { return }
    guard next == UInt8(ascii: "\"") else { throw malformed("expected a key") }
    try skipString()
    try expectColon()
  }
}

/// The closing bytes of open objects and lists: a bit for each, so that the usual depth takes no
/// allocation.
private struct OpenBrackets {
  /// The lowest bit is that of the innermost one: 1 for an object.
  private var bits: UInt64 = 0
  private var count = 0
  /// The bits of those beyond the innermost 64.
  private var outer: [UInt64] = []

  var isEmpty: Bool { count == 0 && outer.isEmpty }

  /// The closing byte of the innermost one.
  var last: UInt8? {
    guard count > 0 else { return nil }
    return bits & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  mutating func push(_ closing: UInt8) {
    if count == 64 {
      outer.append(bits)
      count = 0
    }
    bits = bits << 1 | (closing == UInt8(ascii: "}") ? 1 : 0)
    count += 1
  }

  mutating func pop() {
    bits >>= 1
    count -= 1
    if count == 0, let next = outer.popLast() {
      bits = next
      count = 64
    }
  }
}

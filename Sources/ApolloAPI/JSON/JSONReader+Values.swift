extension JSONReader {
  /// Reads any value.
  ///
  /// Of equal keys the last one counts.
  mutating func readValue() throws(ReadFailure) -> JSONValue {
    switch next {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "{"): return try readObjectValue()
    case UInt8(ascii: "["): return try readArrayValue()
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

  @inline(never)
  private mutating func readArrayValue() throws(ReadFailure) -> JSONValue {
    var elements: [JSONValue] = []
    try open()
    if next == UInt8(ascii: "]") {
      close()
      return .array(elements)
    }
    repeat {
      elements.append(try readValue())
    } while try continues(until: UInt8(ascii: "]"))
    return .array(elements)
  }

  @inline(never)
  private mutating func readObjectValue() throws(ReadFailure) -> JSONValue {
    var members: [String: JSONValue] = [:]
    try open()
    if next == UInt8(ascii: "}") {
      close()
      return .object(members)
    }
    repeat {
      let key = try readKey()
      members[key] = try readValue()
    } while try continues(until: UInt8(ascii: "}"))
    return .object(members)
  }

  /// Reads a key and the colon.
  mutating func readKey() throws(ReadFailure) -> String {
    guard next == UInt8(ascii: "\"") else { throw malformed("expected a key") }
    let key = try readString()
    try expectColon()
    return key
  }

  // MARK: - Skipping

  /// Skips a value that nobody asked for, checking that it is JSON all the same.
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
      _ = try readString()
    } else if next == UInt8(ascii: "-") || next.isASCIIDigit {
      _ = try readNumber()
    } else if consumeBool() == nil, !consumeNull() {
      throw malformed("expected a value")
    }
  }

  private mutating func skipContainer() throws(ReadFailure) {
    var closings: [UInt8] = []  // what the open objects and lists end with
    repeat {
      // A value comes next.
      if next == UInt8(ascii: "{") || next == UInt8(ascii: "[") {
        let closing = next + 2  // `}` and `]` are two after `{` and `[`
        try open()
        if next != closing {
          closings.append(closing)
          try skipKey(ifIn: closing)
          continue
        }
        close()
      } else {
        try skipScalar()
      }
      // A value came before.
      while let closing = closings.last {
        if try continues(until: closing) {
          try skipKey(ifIn: closing)
          break
        }
        closings.removeLast()
      }
    } while !closings.isEmpty
  }

  private mutating func skipKey(ifIn closing: UInt8) throws(ReadFailure) {
    if closing == UInt8(ascii: "}") { _ = try readKey() }
  }
}

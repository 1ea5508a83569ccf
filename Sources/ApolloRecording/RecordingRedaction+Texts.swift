// Secrets in texts that are no values of JSON: bodies in other formats, messages, and URLs.

extension RecordingRedaction {
  /// Returns a text for people, such as a message or the value of a header, without the secrets of
  /// the URLs in it.
  package func text(_ text: String) -> String {
    String(decoding: parameters(in: Array(text.utf8)[...]), as: UTF8.self)
  }

  /// Returns a body that is no JSON, or a part of JSON, without secrets.
  ///
  /// Each name in quotation marks before a colon is looked at, wherever it is: in the parts of a
  /// response, the lines of events, or text that was cut. The whole value of a secret name is
  /// replaced. So are the secrets of URLs and forms.
  package func body(_ bytes: [UInt8]) -> [UInt8] {
    let text = JSONText(bytes)
    var output: [UInt8] = []
    var copied = 0
    var position = 0
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: ":"), let name = Self.name(before: position, in: bytes),
        isSecretField(name)
      else {
        position += 1
        continue
      }
      let start = text.skippingSpace(from: position + 1)
      let end = Self.endOfValue(at: start, in: text)
      output += bytes[copied..<min(start, bytes.count)]
      output += Array("\"\(Self.mark)\"".utf8)
      (copied, position) = (end, max(end, position + 1))
    }
    return parameters(in: (output + bytes[min(copied, bytes.count)...])[...])
  }

  /// Returns the name in quotation marks that is before a colon, with escaped marks as in JSON
  /// within a text, or `nil` if there is none.
  private static func name(before colon: Int, in bytes: [UInt8]) -> String? {
    let mark = UInt8(ascii: "\"")
    var end = colon
    while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
    guard end > 0, bytes[end - 1] == mark else { return nil }
    end -= 1
    if end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    var start = end
    while start > 0, bytes[start - 1] != mark, end - start < 200 { start -= 1 }
    guard start > 0, bytes[start - 1] == mark else { return nil }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Returns the end of a value, whose quotation marks may be escaped.
  private static func endOfValue(at start: Int, in text: JSONText) -> Int {
    let bytes = text.bytes
    guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "\"")
    else { return text.endOfValue(at: start) }
    let escapedMark = #"\""#.utf8
    var end = start + 2
    while end < bytes.count, !bytes[end...].starts(with: escapedMark) {
      // The inner text escapes the next character, which may be written with an escape itself.
      if bytes[end...].starts(with: #"\\"#.utf8) {
        end += 2
        end += end < bytes.count && bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      } else {
        end += 1
      }
    }
    return min(end + 2, bytes.count)
  }

  // MARK: Documents

  /// Returns the text of an operation without the secrets of its literals: the texts of arguments
  /// and fields of input objects whose names suggest one.
  package func document(_ document: String) -> String {
    let bytes = Array(document.utf8)
    var output: [UInt8] = []
    var position = 0
    var name: Range<Int>?
    /// `true` after a name and a colon.
    var isValue = false
    /// The variable whose default value may follow.
    var variable: Range<Int>?
    /// The number of brackets around a secret value, or `nil` outside of one.
    var depth: Int?
    while position < bytes.count {
      let start = position
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position = Self.endOfLiteral(at: start, in: bytes)
        let isSecret = depth != nil || isValue && isSecret(name, in: bytes)
        output += isSecret ? Array("\"\(Self.mark)\"".utf8)[...] : bytes[start..<position]
        (name, isValue) = (nil, false)
        continue
      case UInt8(ascii: "#"):
        position = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        output += bytes[start..<position]
        continue
      case UInt8(ascii: ":"): isValue = name != nil
      case UInt8(ascii: "="): (name, isValue, variable) = (variable, variable != nil, nil)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if let outer = depth {
          depth = outer + 1
        } else if isValue, isSecret(name, in: bytes) {
          depth = 1
        }
        (name, isValue) = (nil, false)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = depth.flatMap { $0 > 1 ? $0 - 1 : nil }
        (name, isValue) = (nil, false)
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): break
      case _ where Self.isOfGraphQLName(byte):
        while position < bytes.count, Self.isOfGraphQLName(bytes[position]) { position += 1 }
        output += bytes[start..<position]
        (name, isValue) = (start..<position, false)
        if start > 0, bytes[start - 1] == UInt8(ascii: "$") { variable = name }
        continue
      default: (name, isValue) = (nil, false)
      }
      output.append(byte)
      position += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isOfGraphQLName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func isSecret(_ name: Range<Int>?, in bytes: [UInt8]) -> Bool {
    name.map { isSecretVariable(String(decoding: bytes[$0], as: UTF8.self)) } ?? false
  }

  /// Returns the end of a text, which may be a block.
  private static func endOfLiteral(at start: Int, in bytes: [UInt8]) -> Int {
    let marks = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
    guard bytes[start...].starts(with: marks) else { return JSONText(bytes).endOfString(at: start) }
    // In a block, a backslash escapes three marks and nothing else, such as another backslash.
    let escapedMarks = [UInt8(ascii: "\\")] + marks
    var position = start + 3
    while position < bytes.count, !bytes[position...].starts(with: marks) {
      position += bytes[position...].starts(with: escapedMarks) ? 4 : 1
    }
    return min(position + 3, bytes.count)
  }

  // MARK: URLs

  /// Returns text, which may be in quotation marks, without the secrets of URLs in it: the user and
  /// the password, and the values of parameters whose names suggest one.
  ///
  /// Characters of values, and the marks around them, may be escapes of JSON: PHP writes `\/`, and
  /// Gson `\u003d`.
  func parameters(in text: ArraySlice<UInt8>) -> [UInt8] {
    guard
      text.contains(UInt8(ascii: "=")) || text.contains(UInt8(ascii: "@"))
        || text.contains(UInt8(ascii: "\\"))
    else { return Array(text) }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      output.append(byte)
      position += 1
      if byte == UInt8(ascii: "/"),
        output.suffix(3).elementsEqual("://".utf8)
          || output.suffix(5).elementsEqual(#":\/\/"#.utf8)
      {
        // What is before "@" is a user and a password.
        let end = Self.end(from: position, in: text, where: Self.isEndOfAuthority)
        if let at = text[position..<end].lastIndex(of: UInt8(ascii: "@")), at > position {
          output += Self.mark.utf8
          position = at
        }
      } else if let signStart = Self.startOfEqualsSign(in: output) {
        guard let name = Self.parameterName(before: signStart, in: output), isSecretParameter(name)
        else { continue }
        let end = Self.end(from: position, in: text, where: Self.isEndOfParameter)
        guard end > position else { continue }
        output += Self.mark.utf8
        position = end
      }
    }
    return output
  }

  /// Returns the position of the equals sign, or of its escape, with which bytes end; `nil` if they
  /// end with another character.
  private static func startOfEqualsSign(in bytes: [UInt8]) -> Int? {
    switch bytes.last {
    case UInt8(ascii: "="): bytes.count - 1
    case UInt8(ascii: "d"), UInt8(ascii: "D"):
      bytes.suffix(6).elementsEqual(#"\u003d"#.utf8)
        || bytes.suffix(6).elementsEqual(#"\u003D"#.utf8) ? bytes.count - 6 : nil
    default: nil
    }
  }

  /// Returns the position of the first character from `start` on that ends a part of a URL, or the
  /// end of the text. A backslash ends the part unless it begins the escape of a character that
  /// does not.
  private static func end(
    from start: Int, in text: ArraySlice<UInt8>, where isEnd: (UInt8) -> Bool
  ) -> Int {
    var position = start
    while position < text.endIndex {
      if let (byte, end) = escape(at: position, in: text), !isEnd(byte) {
        position = end
      } else if isEnd(text[position]) {
        return position
      } else {
        position += 1
      }
    }
    return position
  }

  /// Returns the character of the escape at a position, and the position after it; `nil` if there
  /// is no escape of a character that URLs have. The byte of characters beyond ASCII is 0x80.
  private static func escape(
    at position: Int, in text: ArraySlice<UInt8>
  ) -> (byte: UInt8, end: Int)? {
    guard text[position] == UInt8(ascii: "\\") else { return nil }
    let rest = text[(position + 1)...]
    switch rest.first {
    case UInt8(ascii: "/"): return (UInt8(ascii: "/"), position + 2)
    case UInt8(ascii: "u"):
      let digits = rest.dropFirst().prefix(4)
      guard digits.count == 4, let number = Int(String(decoding: digits, as: UTF8.self), radix: 16),
        number >= 0
      else { return nil }
      return (UInt8(min(number, 0x80)), position + 6)
    default: return nil
    }
  }

  private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "/\\?#\"'<>".utf8.contains(byte)
  }

  private static func isEndOfParameter(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "&#;\"'<>\\".utf8.contains(byte)
  }

  /// Returns the name of the parameter whose value follows, after a mark of URLs or forms.
  private static func parameterName(before end: Int, in bytes: [UInt8]) -> String? {
    var start = end
    while start > 0, isOfName(bytes[start - 1]), end - start < 200 { start -= 1 }
    guard start < end else { return nil }
    var name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard start > 0 else { return name }
    // "&" of JSON can be written with its number.
    if bytes[start - 1] == UInt8(ascii: "\\"), name.hasPrefix("u0026") { name.removeFirst(5) }
    return "?&;#\\\"' \n".utf8.contains(bytes[start - 1]) ? name : nil
  }

  /// Returns `true` for a byte of a parameter's name, which may be a path such as `user[token]`.
  private static func isOfName(_ byte: UInt8) -> Bool {
    isOfGraphQLName(byte) || "-.%[]".utf8.contains(byte)
  }
}

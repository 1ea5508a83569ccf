internal import ApolloAPI

// Secrets in texts that identify lists of the cache (`ListID`). Such a text is JSON itself, with
// the arguments of the list, and the keys of the fields on its way:
//
// ["QUERY_ROOT","products","first",{"category":"toys"},["viewer(token:\"abc\")"]]

extension RecordingRedaction {
  /// Returns the literal of a list's identifier without secrets, or `nil` for that of another text.
  func list(_ literal: ArraySlice<UInt8>) -> [UInt8]? {
    guard literal.dropFirst().first == UInt8(ascii: "["),
      let text = (try? JSONValue(jsonBytes: literal))?.stringValue,
      var parts = (try? JSONValue(jsonBytes: Array(text.utf8)))?.arrayValue,
      (4...5).contains(parts.count), case .object = parts[3]
    else { return nil }
    parts[3] = redacted(parts[3])
    if parts.count == 5, case .array(let way) = parts[4] {
      parts[4] = .array(way.map { $0.stringValue.map { .string(fieldKey($0)) } ?? $0 })
    }
    return Self.json(.string(String(decoding: Self.json(.array(parts)), as: UTF8.self)))
  }

  /// Returns the key of a field, such as `viewer(id:"7")`, without secrets among its arguments.
  private func fieldKey(_ key: String) -> String {
    guard key.hasSuffix(")"), let start = key.utf8.firstIndex(of: UInt8(ascii: "(")) else {
      return key
    }
    let bytes = Array(key.utf8[key.utf8.index(after: start)...].dropLast())
    let text = JSONText(bytes)
    var arguments: [String] = []
    var position = 0
    while let colon = bytes[min(position, bytes.count)...].firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: bytes[position..<colon], as: UTF8.self)
      let end = text.endOfValue(at: colon + 1)
      // As a variable with the argument's name.
      if let value = try? JSONValue(jsonBytes: bytes[(colon + 1)..<end]),
        let redacted = redacted(.object([name: value]))[name]
      {
        arguments.append("\(name):\(redacted)")
      }
      position = end + 1
    }
    return "\(key[..<start])(\(arguments.joined(separator: ",")))"
  }

  private func redacted(_ variables: JSONValue) -> JSONValue {
    // What was JSON still is.
    (try? JSONValue(jsonBytes: self.variables(Self.json(variables)))) ?? .null
  }

  private static func json(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.bytes
  }
}

internal import ApolloAPI
internal import ApolloCache
internal import Foundation

/// The name of a field and its arguments, from the key that holds both, such as
/// `title(language:"fr")`.
struct FieldName {
  let name: String
  /// The arguments, or `nil` if there are none or if the key has another form.
  let arguments: [String: JSONValue]?

  init(_ key: FieldKey) {
    let text = key.rawValue
    guard let start = text.utf8.firstIndex(of: UInt8(ascii: "(")),
      text.utf8.last == UInt8(ascii: ")")
    else {
      self.name = text
      arguments = nil
      return
    }
    self.name = String(text[..<start])
    arguments = Self.arguments(Array(text.utf8[text.utf8.index(after: start)...].dropLast()))
  }

  /// Reads `name:JSON,name:JSON`.
  private static func arguments(_ bytes: [UInt8]) -> [String: JSONValue]? {
    var result: [String: JSONValue] = [:]
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let name = String(decoding: rest[..<colon], as: UTF8.self)
      let value = rest[(colon + 1)...].prefix(valueCount(rest[(colon + 1)...]))
      guard let json = try? JSONValue(jsonBytes: Data(value)) else { return nil }
      result[name] = json
      rest = rest[value.endIndex...].dropFirst()  // the comma
    }
    return result
  }

  /// Returns the number of bytes up to the comma behind a value.
  private static func valueCount(_ bytes: ArraySlice<UInt8>) -> Int {
    var (depth, isInString, isEscaped) = (0, false, false)
    for (count, byte) in bytes.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return count
      default: break
      }
    }
    return bytes.count
  }
}

/// An element of the header `Sec-WebSocket-Extensions`: a name with parameters.
///
/// Spec: RFC 6455, section 9.1.
struct ExtensionSelection: Hashable, Sendable {
  struct Parameter: Hashable, Sendable {
    var name: String
    /// The value without quotes, or `nil` if the parameter has none.
    var value: String?
  }

  var name: String
  var parameters: [Parameter] = []

  /// The elements of all the headers' values, or `nil` if one is malformed.
  static func all(in values: [String]) -> [ExtensionSelection]? {
    var all: [ExtensionSelection] = []
    for element in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
      guard let name = parts.first, isToken(name) else { return nil }
      var selection = ExtensionSelection(name: name)
      for part in parts.dropFirst() {
        guard let parameter = parameter(part) else { return nil }
        selection.parameters.append(parameter)
      }
      all.append(selection)
    }
    return all
  }

  private static func parameter(_ text: String) -> Parameter? {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(trimmed)
    guard isToken(sides[0]) else { return nil }
    guard sides.count == 2 else { return Parameter(name: sides[0]) }
    var value = sides[1]
    if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
      value = String(value.dropFirst().dropLast())
    }
    return isToken(value) ? Parameter(name: sides[0], value: value) : nil
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let start = text.drop(while: isBlank)
    return String(start.prefix(start.count - start.reversed().prefix(while: isBlank).count))
  }

  /// RFC 9110, section 5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

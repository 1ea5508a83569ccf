/// What the renderers need of JSON. Members keep their order.
indirect enum JSONText {
  case string(String)
  case number(Int)
  case array([JSONText])
  case object([(String, JSONText)])

  /// The value on several lines, indented by two.
  var text: String {
    var output = ""
    write(to: &output, indentation: "")
    return output
  }

  /// An array of what `text` makes of each element, made and written one after the other.
  static func array<Element>(of elements: [Element], _ text: (Element) -> JSONText) -> String {
    var output = ""
    write(elements, "[", "]", to: &output, "") { element, output, indentation in
      text(element).write(to: &output, indentation: indentation)
    }
    return output
  }

  private func write(to output: inout String, indentation: String) {
    switch self {
    case .string(let value):
      Self.write(value, to: &output)
    case .number(let value):
      output += String(value)
    case .array(let items):
      Self.write(items, "[", "]", to: &output, indentation) { item, output, indentation in
        item.write(to: &output, indentation: indentation)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &output, indentation) { member, output, indentation in
        Self.write(member.0, to: &output)
        output += ": "
        member.1.write(to: &output, indentation: indentation)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], _ open: String, _ close: String, to output: inout String,
    _ indentation: String, _ writeItem: (Item, inout String, String) -> Void
  ) {
    output += open
    let inner = indentation + "  "
    for (index, item) in items.enumerated() {
      output += index == 0 ? "\n" : ",\n"
      output += inner
      writeItem(item, &output, inner)
    }
    if !items.isEmpty {
      output += "\n"
      output += indentation
    }
    output += close
  }

  private static func write(_ string: String, to output: inout String) {
    output += "\""
    if string.utf8.contains(where: \.mayNeedEscape) {
      writeEscaped(string, to: &output)
    } else {
      output += string
    }
    output += "\""
  }

  private static func writeEscaped(_ string: String, to output: inout String) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}

extension UInt8 {
  /// Whether a character that must be escaped in a string can begin with this byte.
  fileprivate var mayNeedEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") || self == 0x7F
      || self == 0xE2
  }
}

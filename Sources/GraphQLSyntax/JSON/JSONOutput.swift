/// A JSON value to be written: the only writer of JSON values in the compiler.
///
/// The members of an object keep their order.
package indirect enum JSONOutput {
  case null
  case string(String)
  case number(Int)
  case boolean(Bool)
  case array([JSONOutput])
  /// An array on one line.
  case row([JSONOutput])
  case object([(String, JSONOutput)])

  /// The value as indented JSON on several lines.
  package var text: String {
    var output = ""
    write(to: &output, indentation: "")
    return output
  }

  /// The value as JSON on one line, without spaces.
  package var line: String {
    var output = ""
    writeLine(to: &output)
    return output
  }

  private func writeLine(to output: inout String) {
    switch self {
    case .null, .string, .number, .boolean: write(to: &output, indentation: "")
    case .row(let items), .array(let items):
      output += "["
      for (index, item) in items.enumerated() {
        if index > 0 { output += "," }
        item.writeLine(to: &output)
      }
      output += "]"
    case .object(let members):
      output += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { output += "," }
        JSONLiteral.append(member.0, to: &output)
        output += ":"
        member.1.writeLine(to: &output)
      }
      output += "}"
    }
  }

  /// Writes an array with the result of `text` for each element, without collecting the results
  /// first.
  package static func array<Element>(of elements: [Element], _ text: (Element) -> JSONOutput)
    -> String
  {
    var output = ""
    write(elements, "[", "]", to: &output, "") { element, output, indentation in
      text(element).write(to: &output, indentation: indentation)
    }
    return output
  }

  private func write(to output: inout String, indentation: String) {
    switch self {
    case .null:
      output += "null"
    case .string(let value):
      JSONLiteral.append(value, to: &output)
    case .number(let value):
      output += String(value)
    case .boolean(let value):
      output += String(value)
    case .row(let items):
      output += "["
      for (index, item) in items.enumerated() {
        if index > 0 { output += ", " }
        item.write(to: &output, indentation: indentation)
      }
      output += "]"
    case .array(let items):
      Self.write(items, "[", "]", to: &output, indentation) { item, output, indentation in
        item.write(to: &output, indentation: indentation)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &output, indentation) { member, output, indentation in
        JSONLiteral.append(member.0, to: &output)
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
}

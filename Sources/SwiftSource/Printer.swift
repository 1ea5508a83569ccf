private let newline = UInt8(ascii: "\n")

/// Prints declarations as Swift source.
///
/// The printer decides only line breaks, indentation and blank lines. All else is in the
/// declarations.
struct Printer {
  private var bytes: [UInt8] = []
  private var indentation = ""
  /// Counted in bytes. A line breaks a little earlier if it has characters beyond ASCII.
  private static let maximumLineLength = 100

  var output: String { String(decoding: bytes, as: UTF8.self) }

  mutating func print(_ file: SourceFile) {
    for text in file.header { line(text.isEmpty ? "//" : "// \(text)") }
    for text in file.imports { line(text) }
    if !bytes.isEmpty, !file.declarations.isEmpty { write("\n") }
    print(file.declarations)
  }

  // MARK: - Declarations

  /// Prints members. A blank line separates members that are documented or take several lines.
  private mutating func print(_ declarations: [Declaration]) {
    var previousStandsApart: Bool?
    for declaration in declarations {
      let start = bytes.endIndex
      print(declaration)
      let takesSeveralLines = bytes[start...].dropLast().contains(newline)
      let standsApart = declaration.documentation != nil || takesSeveralLines
      if let previous = previousStandsApart, previous || standsApart {
        bytes.insert(newline, at: start)
      }
      previousStandsApart = standsApart
    }
  }

  private mutating func print(_ declaration: Declaration) {
    if let documentation = declaration.documentation { comment(documentation) }
    for attribute in declaration.attributes { line(attribute) }
    let modifiers = declaration.modifiers.map { $0 + " " }.joined()
    switch declaration.content {
    case .group(let group): print(group, after: modifiers)
    case .property(let property): print(property, after: modifiers)
    case .function(let function): print(function, after: modifiers)
    case .enumCase(let enumCase):
      let payload = enumCase.payload.map { "(\($0))" } ?? ""
      let rawValue = enumCase.rawValue.map { " = \($0.flat)" } ?? ""
      line("\(modifiers)case \(enumCase.name)\(payload)\(rawValue)")
    case .typeAlias(let name, let target):
      line("\(modifiers)typealias \(name) = \(target)")
    }
  }

  private mutating func print(_ group: Group, after modifiers: String) {
    var head = "\(modifiers)\(group.keyword) \(group.name)"
    if !group.inherits.isEmpty { head += ": " + group.inherits.joined(separator: ", ") }
    if let requirements = group.requirements { head += " where \(requirements)" }
    guard !group.members.isEmpty else { return line(head + " {}") }
    line(head + " {")
    indented { $0.print(group.members) }
    line("}")
  }

  private mutating func print(_ property: Property, after modifiers: String) {
    let name = property.name + (property.type.map { ": \($0)" } ?? "")
    switch property.storage {
    case .let(let value): assignment("\(modifiers)let \(name)", value)
    case .var(let value): assignment("\(modifiers)var \(name)", value)
    case .computed(let getter, nil): block("\(modifiers)var \(name)", getter)
    case .computed(let getter, let setter?):
      accessors("\(modifiers)var \(name)", [("get", getter), ("set", setter)])
    case .inPlace(let getter, let setter, let value):
      accessors(
        "\(modifiers)var \(name)",
        [("get", getter), ("set", setter), ("_modify", ["yield &\(value)"])])
    case .computedOnOneLine(let getter): line("\(modifiers)var \(name) { \(getter) }")
    case .requirement(let settable):
      line("\(modifiers)var \(name) { get\(settable ? " set" : "") }")
    }
  }

  private mutating func accessors(_ head: String, _ accessors: [(String, [String])]) {
    line("\(head) {")
    indented { for (name, body) in accessors { $0.block(name, body) } }
    line("}")
  }

  private mutating func print(_ function: Function, after modifiers: String) {
    let head = modifiers + function.head
    let tail = function.tail.isEmpty ? "" : " " + function.tail
    let parameters = function.parameters.map(Self.text(of:))
    let flat = "\(head)(\(parameters.joined(separator: ", ")))\(tail)"
    let opening = function.body.map { $0.isEmpty ? " {}" : " {" } ?? ""
    if fits(flat.utf8.count + opening.utf8.count) || parameters.isEmpty {
      if let body = function.body { block(flat, body) } else { line(flat) }
      return
    }
    line("\(head)(")
    indented { printer in
      for (index, parameter) in parameters.enumerated() {
        printer.line(parameter + (index == parameters.count - 1 ? "" : ","))
      }
    }
    if let body = function.body {
      block(")\(tail)", body, onOneLine: false)
    } else {
      line(")\(tail)")
    }
  }

  private static func text(of parameter: Parameter) -> String {
    "\(parameter.name): \(parameter.type)" + (parameter.value.map { " = \($0.flat)" } ?? "")
  }

  // MARK: - Bodies and values

  /// Prints `head { body }` if that is short, and one statement per line otherwise.
  private mutating func block(_ head: String, _ body: [String], onOneLine: Bool = true) {
    if body.isEmpty { return write(indentation, head, " {}\n") }
    if onOneLine, body.count == 1, !body[0].utf8.contains(newline),
      fits(head.utf8.count + body[0].utf8.count + " {  }".utf8.count)
    {
      return write(indentation, head, " { ", body[0], " }\n")
    }
    write(indentation, head, " {\n")
    indented { printer in
      for statement in body { printer.line(statement) }
    }
    line("}")
  }

  private mutating func assignment(_ head: String, _ value: Expression?) {
    guard let value else { return line(head) }
    write(indentation, head, " = ")
    write(value, column: indentation.utf8.count + head.utf8.count + 3)
    write("\n")
  }

  /// Prints an expression on this line if it fits, and its parts on separate lines otherwise.
  private mutating func write(_ expression: Expression, column: Int) {
    let flat = expression.flat
    if column + flat.utf8.count <= Self.maximumLineLength {
      write(flat)
      return
    }
    switch expression {
    case .code, .string, .rawString: write(flat)
    case .lines(let lines):
      let quotes = "\"\"\""
      write(quotes, "\n")
      indented { printer in
        for text in lines { printer.line(text) }
        printer.write(printer.indentation, quotes)
      }
    case .array(let items):
      list("[", items.map { (nil, $0) }, "]", separator: "", trailingComma: true)
    case .dictionary(let entries):
      list("[", entries.map { ($0.key.flat, $0.value) }, "]", separator: ": ", trailingComma: true)
    case .call(let callee, let arguments) where arguments.count == 1:
      // A separate line would not leave more space for a single argument.
      let head = callee + "(" + (arguments[0].label.map { $0 + ": " } ?? "")
      write(head)
      write(arguments[0].value, column: column + head.utf8.count + ")".utf8.count)
      write(")")
    case .call(let callee, let arguments):
      list(
        callee + "(", arguments.map { ($0.label, $0.value) }, ")", separator: ": ",
        trailingComma: false)
    }
  }

  private mutating func list(
    _ open: String, _ items: [(label: String?, value: Expression)], _ close: String,
    separator: String, trailingComma: Bool
  ) {
    write(open)
    indented { printer in
      for (index, item) in items.enumerated() {
        let label = item.label.map { $0 + separator } ?? ""
        printer.write("\n", printer.indentation, label)
        printer.write(item.value, column: printer.indentation.utf8.count + label.utf8.count + 1)
        if trailingComma || index < items.count - 1 { printer.write(",") }
      }
    }
    trailingComma ? write("\n", indentation, close) : write(close)
  }

  // MARK: - Lines

  /// Returns whether an indented line of `count` bytes is short enough.
  private func fits(_ count: Int) -> Bool {
    indentation.utf8.count + count <= Self.maximumLineLength
  }

  private mutating func line(_ text: String) {
    write(indentation, text, "\n")
  }

  private mutating func write(_ parts: String...) {
    for part in parts { bytes.append(contentsOf: part.utf8) }
  }

  private mutating func indented(_ body: (inout Printer) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
  }

  /// Prints text as `///` lines. No character can end a line early or hide text.
  private mutating func comment(_ text: String) {
    let text = text.utf8.allSatisfy { $0 == newline || $0.isPrintable } ? text : harmless(text)
    for line in text.utf8.split(separator: newline, omittingEmptySubsequences: false) {
      let end = line.lastIndex { $0 != UInt8(ascii: " ") }
      write(indentation, "///")
      if let end {
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: line[...end])
      }
      bytes.append(newline)
    }
  }

  /// Returns the text with line feeds as its only line breaks, and without characters that hide
  /// text.
  private func harmless(_ text: String) -> String {
    var result = ""
    var previousWasReturn = false
    for scalar in text.unicodeScalars {
      defer { previousWasReturn = scalar == "\r" }
      switch scalar {
      case "\n" where previousWasReturn: continue
      case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": result += "\n"
      case "\t": result += "  "
      case _ where scalar.isHarmless: result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}

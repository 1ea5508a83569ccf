private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")

/// Prints declarations as Swift source.
///
/// The printer decides only line breaks, indentation and blank lines. All else is in the
/// declarations.
///
/// A line grows at the end of the output. If it becomes too long, it is removed and written again
/// in several lines.
struct DeclarationPrinter {
  private(set) var bytes: [UInt8] = []
  private var level = 0
  /// The offset of the first byte of the line that is being written.
  private var lineStart = 0
  /// Counted in bytes. A line breaks a little earlier if it has characters beyond ASCII.
  private static let maximumLineLength = 100

  mutating func print(_ file: SourceFile) {
    for text in file.header { line(text.isEmpty ? "//" : "// \(text)") }
    for text in file.imports { line(text) }
    if !bytes.isEmpty, !file.declarations.isEmpty { bytes.append(newline) }
    print(file.declarations)
  }

  // MARK: - Declarations

  /// Prints members. A blank line separates members that are documented or take several lines.
  private mutating func print(_ declarations: [Declaration]) {
    var previousStandsApart: Bool?
    for declaration in declarations {
      let start = bytes.endIndex
      print(declaration)
      let takesSeveralLines = bytes[start...].firstIndex(of: newline) != bytes.endIndex - 1
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
    startLine()
    for modifier in declaration.modifiers {
      write(modifier)
      bytes.append(space)
    }
    switch declaration.content {
    case .group(let group): print(group)
    case .property(let property): print(property)
    case .function(let function): print(function)
    case .enumCase(let enumCase): print(enumCase)
    case .typeAlias(let name, let target):
      write("typealias ")
      write(name)
      write(" = ")
      endLine(target)
    }
  }

  private mutating func print(_ group: Group) {
    write(group.keyword)
    bytes.append(space)
    write(group.name)
    for (index, type) in group.inherits.enumerated() {
      write(index == 0 ? ": " : ", ")
      write(type)
    }
    if let requirements = group.requirements {
      write(" where ")
      write(requirements)
    }
    guard !group.members.isEmpty else { return endLine(" {}") }
    endLine(" {")
    indented { $0.print(group.members) }
    line("}")
  }

  private mutating func print(_ enumCase: EnumCase) {
    write("case ")
    write(enumCase.name)
    if let payload = enumCase.payload {
      write("(")
      write(payload)
      write(")")
    }
    if let rawValue = enumCase.rawValue {
      write(" = ")
      writeFlat(rawValue)
    }
    endLine("")
  }

  private mutating func print(_ property: Property) {
    if case .let = property.storage { write("let ") } else { write("var ") }
    write(property.name)
    if let type = property.type {
      write(": ")
      write(type)
    }
    switch property.storage {
    case .let(let value), .var(let value): assignment(value)
    case .computed(let getter, nil): block(getter)
    case .computed(let getter, let setter?): accessors([("get", getter), ("set", setter)])
    case .throwing(let getter, let error): accessors([("get throws(\(error))", getter)])
    case .inPlace(let getter, let setter, let value):
      accessors([("get", getter), ("set", setter), ("_modify", ["yield &\(value)"])])
    case .computedOnOneLine(let getter):
      write(" { ")
      write(getter)
      endLine(" }")
    case .requirement(let settable): endLine(settable ? " { get set }" : " { get }")
    }
  }

  private mutating func accessors(_ accessors: [(String, [String])]) {
    endLine(" {")
    indented { printer in
      for (name, body) in accessors {
        printer.startLine()
        printer.write(name)
        printer.block(body)
      }
    }
    line("}")
  }

  private mutating func print(_ function: Function) {
    write(function.head)
    write("(")
    let start = bytes.endIndex
    for (index, parameter) in function.parameters.enumerated() {
      if index > 0 { write(", ") }
      write(parameter)
    }
    writeTail(of: function)
    let openingCount = function.body.map { $0.isEmpty ? 3 : 2 } ?? 0
    if fits(openingCount) || function.parameters.isEmpty {
      if let body = function.body { block(body) } else { endLine("") }
      return
    }
    bytes.removeSubrange(start...)
    endLine("")
    indented { printer in
      for (index, parameter) in function.parameters.enumerated() {
        printer.startLine()
        printer.write(parameter)
        printer.endLine(index == function.parameters.count - 1 ? "" : ",")
      }
    }
    startLine()
    writeTail(of: function)
    if let body = function.body { block(body, onOneLine: false) } else { endLine("") }
  }

  private mutating func writeTail(of function: Function) {
    write(")")
    guard !function.tail.isEmpty else { return }
    bytes.append(space)
    write(function.tail)
  }

  private mutating func write(_ parameter: Parameter) {
    write(parameter.name)
    write(": ")
    write(parameter.type)
    guard let value = parameter.value else { return }
    write(" = ")
    writeFlat(value)
  }

  // MARK: - Bodies and values

  /// Ends a line with `{ body }` if that is short, and prints one statement per line otherwise.
  private mutating func block(_ body: [String], onOneLine: Bool = true) {
    if body.isEmpty { return endLine(" {}") }
    if onOneLine, body.count == 1, fits(body[0].utf8.count + " {  }".utf8.count),
      !body[0].utf8.contains(newline)
    {
      write(" { ")
      write(body[0])
      return endLine(" }")
    }
    endLine(" {")
    indented { printer in
      for statement in body { printer.line(statement) }
    }
    line("}")
  }

  private mutating func assignment(_ value: Expression?) {
    guard let value else { return endLine("") }
    write(" = ")
    write(value, besides: 0)
    endLine("")
  }

  /// Prints an expression on this line if it fits, and its parts on separate lines otherwise.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - closingCount: The number of bytes that follow on the last line.
  private mutating func write(_ expression: Expression, besides closingCount: Int) {
    let start = bytes.endIndex
    let limit = lineStart + Self.maximumLineLength - closingCount
    if expression.appendFlat(to: &bytes, upTo: limit) { return }
    bytes.removeSubrange(start...)
    switch expression {
    case .code, .string, .rawString: writeFlat(expression)
    case .lines(let lines):
      let quotes = "\"\"\""
      endLine(quotes)
      indented { printer in
        for text in lines { printer.line(text) }
        printer.startLine()
        printer.write(quotes)
      }
    case .array(let items):
      list("[", items.map { (nil, $0) }, "]", separator: "", trailingComma: true)
    case .dictionary(let entries):
      list("[", entries.map { ($0.key.flat, $0.value) }, "]", separator: ": ", trailingComma: true)
    case .call(let callee, let arguments) where arguments.count == 1:
      // A separate line would not leave more space for a single argument.
      write(callee)
      write("(")
      write(label: arguments[0].label)
      write(arguments[0].value, besides: closingCount + ")".utf8.count)
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
        printer.endLine("")
        printer.startLine()
        if let label = item.label {
          printer.write(label)
          printer.write(separator)
        }
        printer.write(item.value, besides: ",".utf8.count)
        if trailingComma || index < items.count - 1 { printer.write(",") }
      }
    }
    if trailingComma {
      endLine("")
      startLine()
    }
    write(close)
  }

  // MARK: - Parts of expressions

  private mutating func writeFlat(_ expression: Expression) {
    expression.appendFlat(to: &bytes)
  }

  private mutating func write(label: String?) {
    guard let label else { return }
    write(label)
    write(": ")
  }

  // MARK: - Lines

  /// Returns whether the line is short enough with `count` more bytes.
  private func fits(_ count: Int) -> Bool {
    bytes.count - lineStart + count <= Self.maximumLineLength
  }

  private mutating func line(_ text: String) {
    startLine()
    endLine(text)
  }

  private mutating func startLine() {
    lineStart = bytes.endIndex
    for _ in 0..<level {
      bytes.append(space)
      bytes.append(space)
    }
  }

  private mutating func endLine(_ text: String) {
    write(text)
    bytes.append(newline)
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func indented(_ body: (inout DeclarationPrinter) -> Void) {
    level += 1
    body(&self)
    level -= 1
  }

  // MARK: - Comments

  /// Prints text as `///` lines. No character can end a line early or hide text.
  private mutating func comment(_ text: String) {
    var text = text
    let isPlain = text.withUTF8 { $0.isPrintable(besides: newline) }
    if !isPlain { text = harmless(text) }
    text.withUTF8 { text in
      var start = 0
      while start <= text.count {
        var end = start
        while end < text.count, text[end] != newline { end += 1 }
        commentLine(text, from: start, to: end)
        start = end + 1
      }
    }
  }

  private mutating func commentLine(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) {
    var end = end
    while end > start, text[end - 1] == space { end -= 1 }
    startLine()
    write("///")
    if end > start {
      bytes.append(space)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
    }
    bytes.append(newline)
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

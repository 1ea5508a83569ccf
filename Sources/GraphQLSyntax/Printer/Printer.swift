/// Prints the nodes of a document exactly as the reference implementation does.
///
/// Each kind of node has one function, in the extensions. All of them append to one buffer:
///
/// 1. A node with one possible layout is written directly.
/// 2. A node with two layouts (arguments, variables, lists and objects) is first written on one
///    line.
/// 3. If it turns out too long, or to span several lines, the buffer is rolled back to the start of
///    the node, and the node is written again with one item on each line.
///
/// Values are the exception: their lengths are computed first, see ``ValueLayout``. Rolling back
/// nested values would take quadratic time.
package struct Printer {
  let document: Document
  let style: PrinterStyle
  package private(set) var output: [UInt8] = []
  private var indentation = 0
  /// The value of a string that is being printed.
  private var scratch: [UInt8] = []

  /// The length beyond which a node is broken into lines, if its layout allows it.
  static let maximumLineLength = 80

  package init(_ document: Document, _ style: PrinterStyle) {
    self.document = document
    self.style = style
  }

  var text: String { String(decoding: output, as: UTF8.self) }
}

// MARK: - Text

extension Printer {
  /// Writes `text`, which contains no line feed.
  package mutating func write(_ text: StaticString) {
    output.append(text: text)
  }

  /// Writes `text`, which contains no line feed.
  mutating func write(_ text: ArraySlice<UInt8>) {
    output.append(contentsOf: text)
  }

  /// Writes the value of `literal` as a block string if that is legible, else as a quoted string.
  package mutating func writeLegibly(_ literal: StringLiteral) {
    withValue(of: literal) { value, printer in
      if BlockString.canRepresent(value) {
        BlockString.append(value, indentation: printer.indentation, to: &printer.output)
      } else {
        QuotedString.append(value, to: &printer.output)
      }
    }
  }

  /// Writes the value of `literal` as a block string, indenting every line after the first.
  mutating func writeBlock(_ literal: StringLiteral) {
    withValue(of: literal) { value, printer in
      BlockString.append(value, indentation: printer.indentation, to: &printer.output)
    }
  }

  /// Writes the value of `literal` as a quoted string.
  package mutating func writeQuoted(_ literal: StringLiteral) {
    withValue(of: literal) { QuotedString.append($0, to: &$1.output) }
  }

  /// Calls `body` with the value of `literal`, in UTF-8.
  package mutating func withValue<Result>(
    of literal: StringLiteral, _ body: (UnsafeBufferPointer<UInt8>, inout Printer) -> Result
  ) -> Result {
    var value: [UInt8] = []
    swap(&value, &scratch)
    defer { swap(&value, &scratch) }
    value.removeAll(keepingCapacity: true)
    document.append(literal, to: &value)
    return value.withUnsafeBufferPointer { body($0, &self) }
  }

  mutating func write(_ name: Name) {
    write(name.symbol)
  }

  package mutating func write(_ symbol: Symbol) {
    document.names.withUTF8(of: symbol) { output.append(contentsOf: $0) }
  }

  /// Lets `body` append bytes to the output. The bytes must contain no line feed.
  package mutating func append(_ body: (inout [UInt8]) -> Void) {
    body(&output)
  }

  package mutating func breakLine() {
    output.append(UInt8(ascii: "\n"))
    indentLine()
  }

  private mutating func indentLine() {
    for _ in 0..<indentation { output.append(UInt8(ascii: " ")) }
  }

  /// Replaces the indentation and returns the one before.
  @discardableResult
  mutating func resetIndentation(to newValue: Int) -> Int {
    defer { indentation = newValue }
    return indentation
  }

  package mutating func indent() { indentation += 2 }
  package mutating func outdent() { indentation -= 2 }
}

// MARK: - Rollback

extension Printer {
  /// The current end of the output, to measure from or to return to.
  var mark: Int { output.count }

  /// Removes the output written since `mark`.
  package mutating func rollBack(to mark: Int) {
    output.removeSubrange(mark...)
  }

  /// Returns whether the output since `mark` contains a line break.
  func isMultiline(since mark: Int) -> Bool {
    output[mark...].contains(UInt8(ascii: "\n"))
  }

  /// Returns the length of the output since `mark` as the reference implementation measures it: in
  /// UTF-16 units, and without indentation.
  func length(since mark: Int) -> Int {
    var length = 0
    for byte in output[mark...] {
      if byte == UInt8(ascii: "\n") { length -= indentation }
      length += byte.utf16Length
    }
    return length
  }
}

extension UInt8 {
  /// The number of UTF-16 units in the character that starts with this byte, or zero for a
  /// continuation byte.
  var utf16Length: Int { isUTF8Continuation ? 0 : self >= 0xF0 ? 2 : 1 }
}

// MARK: - Lists

extension Printer {
  /// Writes `items` in braces, one on each line, or nothing if there are none.
  mutating func block<Items: Collection>(
    _ items: Items, _ print: (inout Printer, Items.Element) -> Void
  ) {
    guard !items.isEmpty else { return }
    write("{")
    indent()
    for item in items {
      breakLine()
      print(&self, item)
    }
    outdent()
    breakLine()
    write("}")
  }

  /// Writes `items` with `separator` between them.
  mutating func join<Items: Sequence>(
    _ items: Items, _ separator: StaticString, _ print: (inout Printer, Items.Element) -> Void
  ) {
    var isFirst = true
    for item in items {
      if !isFirst { write(separator) }
      isFirst = false
      print(&self, item)
    }
  }

  /// Writes `items` in parentheses, on one line, or nothing if there are none.
  mutating func parenthesized<Items: Collection>(
    _ items: Items, _ print: (inout Printer, Items.Element) -> Void
  ) {
    guard !items.isEmpty else { return }
    write("(")
    join(items, ", ", print)
    write(")")
  }

  /// Writes `items` in parentheses, each on its own line.
  mutating func parenthesizedOnLines<Items: Collection>(
    _ items: Items, indents: Bool = true, _ print: (inout Printer, Items.Element) -> Void
  ) {
    write("(")
    if indents { indent() }
    for item in items {
      breakLine()
      print(&self, item)
    }
    if indents { outdent() }
    breakLine()
    write(")")
  }
}

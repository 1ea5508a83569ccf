/// Prints nodes of a document as the reference does.
///
/// The extensions have one function for each kind of node. What is printed goes straight to `output`;
/// every line but the first is indented. What has to be laid out otherwise because it turns out too
/// long is taken back and printed again.
struct Printer {
  let document: Document
  let style: PrinterStyle
  private(set) var output: [UInt8] = []
  private var indentation = 0

  /// What is longer is broken into lines, where the layout allows to.
  static let maximalLineLength = 80

  init(_ document: Document, _ style: PrinterStyle) {
    self.document = document
    self.style = style
  }

  var text: String { String(decoding: output, as: UTF8.self) }
}

// MARK: - Text

extension Printer {
  /// Writes `text`, which has no line feed.
  mutating func write(_ text: StaticString) {
    // The pointer is not kept: `withUTF8Buffer` bounds it.
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  /// Writes `text`, which has no line feed.
  mutating func write(_ text: ArraySlice<UInt8>) {
    output.append(contentsOf: text)
  }

  /// Writes `text`, indenting every line after the first.
  mutating func writeLines(_ text: ArraySlice<UInt8>) {
    var rest = text
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      output.append(contentsOf: rest[...end])
      indentLine()
      rest = rest[(end + 1)...]
    }
    output.append(contentsOf: rest)
  }

  mutating func write(_ name: Name) {
    write(name.symbol)
  }

  mutating func write(_ symbol: Symbol) {
    document.names.withUTF8(of: symbol) { output.append(contentsOf: $0) }
  }

  /// Lets `body` append bytes to the output that have no line feed.
  mutating func append(_ body: (inout [UInt8]) -> Void) {
    body(&output)
  }

  mutating func breakLine() {
    output.append(UInt8(ascii: "\n"))
    indentLine()
  }

  private mutating func indentLine() {
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
  }

  mutating func indent() { indentation += 2 }
  mutating func outdent() { indentation -= 2 }
}

// MARK: - Taking back

extension Printer {
  /// How much was written, to measure from there or to go back to.
  var mark: Int { output.count }

  /// Takes back what was written since `mark`.
  mutating func takeBack(to mark: Int) {
    output.removeSubrange(mark...)
  }

  /// Whether something of several lines was written since `mark`.
  func hasLines(since mark: Int) -> Bool {
    output[mark...].contains(UInt8(ascii: "\n"))
  }

  /// How long what was written since `mark` is for the reference, which counts UTF-16 units, and
  /// does not indent before it has measured.
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
  /// How many UTF-16 units a character has that starts with this byte; none if none does.
  var utf16Length: Int { isUTF8Continuation ? 0 : self >= 0xF0 ? 2 : 1 }
}

// MARK: - Lists

extension Printer {
  /// `{`, a line for each of `items`, `}`; nothing when there is none.
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

  /// `items` with `separator` between them.
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

  /// `items` in parentheses, on one line.
  mutating func parenthesized<Items: Collection>(
    _ items: Items, _ print: (inout Printer, Items.Element) -> Void
  ) {
    guard !items.isEmpty else { return }
    write("(")
    join(items, ", ", print)
    write(")")
  }

  /// `items` in parentheses, each on lines of its own.
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

/// Prints nodes of a document as the reference does.
///
/// The extensions have one function for each kind of node. What is printed goes to `output`; every
/// line but the first is indented.
struct Printer {
  let document: Document
  let style: PrinterStyle
  var output: [UInt8] = []
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
  /// Writes `text`, indenting every line after the first.
  mutating func write(_ text: some Collection<UInt8>) {
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      output += rest[...end]
      output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
      rest = rest[rest.index(after: end)...]
    }
    output += rest
  }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  mutating func write(_ name: Name) {
    write(name.symbol)
  }

  mutating func write(_ symbol: Symbol) {
    document.names.withUTF8(of: symbol) { output.append(contentsOf: $0) }
  }

  mutating func indent() { indentation += 2 }
  mutating func outdent() { indentation -= 2 }

  /// Writes what `body` writes, with lines indented by two more.
  mutating func indented(_ body: (inout Printer) -> Void) {
    indentation += 2
    body(&self)
    indentation -= 2
  }

  /// What `body` writes, not indented.
  mutating func captured(_ body: (inout Printer) -> Void) -> [UInt8] {
    let outer = beginCapture()
    body(&self)
    return endCapture(outer)
  }

  /// Lets what is written next be apart, not indented, until `endCapture` returns it.
  mutating func beginCapture() -> Capture {
    let outer = Capture(output: output, indentation: indentation)
    output = []
    indentation = 0
    return outer
  }

  mutating func endCapture(_ outer: Capture) -> [UInt8] {
    let inner = output
    output = outer.output
    indentation = outer.indentation
    return inner
  }

  /// What was written before a capture.
  struct Capture {
    fileprivate let output: [UInt8]
    fileprivate let indentation: Int
  }

  /// `{`, a line for each of `items`, `}`; nothing when there is none.
  mutating func block<Items: Collection>(
    _ items: Items, _ print: (inout Printer, Items.Element) -> Void
  ) {
    guard !items.isEmpty else { return }
    write("{")
    indented { printer in
      for item in items {
        printer.write("\n")
        print(&printer, item)
      }
    }
    write("\n}")
  }

  /// `items` with `separator` between them.
  mutating func join<Items: Sequence>(
    _ items: Items, _ separator: String, _ print: (inout Printer, Items.Element) -> Void
  ) {
    for (index, item) in items.enumerated() {
      if index > 0 { write(separator) }
      print(&self, item)
    }
  }

  /// `items` in parentheses: on one line, or each on lines of its own.
  mutating func parenthesized(_ items: [[UInt8]], onLines: Bool, indents: Bool = true) {
    guard !items.isEmpty else { return }
    write("(")
    if onLines {
      let print = { (printer: inout Printer) in
        for item in items {
          printer.write("\n")
          printer.write(item)
        }
      }
      if indents { indented(print) } else { print(&self) }
      write("\n")
    } else {
      join(items, ", ") { $0.write($1) }
    }
    write(")")
  }
}

extension Collection<UInt8> {
  /// How long a line of it is for the reference, which counts UTF-16 units.
  var lineLength: Int {
    reduce(0) { $0 + ($1.isUTF8Continuation ? 0 : $1 >= 0xF0 ? 2 : 1) }
  }
}

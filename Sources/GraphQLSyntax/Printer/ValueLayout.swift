/// The lists and objects of a value that are broken into lines, as the reference implementation
/// does.
///
/// A list or an object is broken if it is longer than a line. Everything around it is then too long
/// as well.
///
/// 1. Measure all lists and objects in one pass, from the inside out.
/// 2. Mark those that are longer than a line.
/// 3. Print the value once, with the marks (``Printer``).
struct ValueLayout {
  /// One element for each list or object, in the order of the text: `true` if it is broken.
  private(set) var isBroken: [Bool] = []

  /// A list or an object whose items are being measured.
  private struct OpenValue {
    var rest: Slice<NodeList<Never>>
    let isList: Bool
    /// The index in `isBroken`.
    let index: Int
    var length: Int
  }

  /// Measures `value`, printing its leaves in the style of `printer`.
  ///
  /// - Complexity: O(*n*) in the length of the value on one line.
  init(of value: Value, _ printer: Printer) {
    // Leaves are printed to find their length.
    var scratch = Printer(printer.document, printer.style)
    var open: [OpenValue] = []
    var next: Value? = value
    while let value = next {
      if let (items, isList) = value.content.items {
        // Brackets, or braces with a space inside each.
        let length = (isList ? 2 : 4) + max(0, items.count - 1) * 2
        open.append(
          OpenValue(rest: items[...], isList: isList, index: isBroken.count, length: length))
        isBroken.append(false)
      } else {
        scratch.printLeaf(value)
        open[open.count - 1].length += scratch.length(since: 0)
        scratch.rollBack(to: 0)
      }
      next = nil
      while next == nil, let last = open.indices.last {
        next = startItem(of: &open[last], &scratch)
        if next == nil { close(open.removeLast(), in: &open) }
      }
    }
  }

  private func startItem(of open: inout OpenValue, _ scratch: inout Printer) -> Value? {
    guard let id = open.rest.popFirst() else { return nil }
    if open.isList { return scratch.document.values[id.index] }
    let field = scratch.document.objectFields[id.index]
    open.length += scratch.document.names.withUTF8(of: field.name.symbol) { $0.count } + 2
    return field.value
  }

  private mutating func close(_ value: OpenValue, in open: inout [OpenValue]) {
    isBroken[value.index] = value.length > Printer.maximumLineLength
    // A broken value makes all values around it too long.
    if let outer = open.indices.last { open[outer].length += value.length }
  }
}

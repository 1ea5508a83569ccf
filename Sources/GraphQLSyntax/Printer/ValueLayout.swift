/// Which lists and objects of a value the reference breaks into lines.
///
/// It breaks those that would be too long for a line, and thereby those that they are in. So all
/// lengths are found first, from the inside to the outside, and then everything is printed once.
struct ValueLayout {
  /// Of each list and object, in the order of the text.
  private(set) var isBroken: [Bool] = []

  /// A list or an object whose items are being measured.
  private struct OpenValue {
    var rest: Slice<NodeList<Never>>
    let isList: Bool
    /// Its place in `isBroken`.
    let index: Int
    var length: Int
  }

  /// Measures `value`, as `printer` prints what is in it.
  ///
  /// - Complexity: O(*n*) in the length of what is printed on one line.
  init(of value: Value, _ printer: Printer) {
    // Leaves are measured by printing them.
    var scratch = Printer(printer.document, printer.style)
    var open: [OpenValue] = []
    var next: Value? = value
    while let value = next {
      if let (items, isList) = value.content.items {
        // Brackets, or braces with a space within each.
        let length = (isList ? 2 : 4) + max(0, items.count - 1) * 2
        open.append(
          OpenValue(rest: items[...], isList: isList, index: isBroken.count, length: length))
        isBroken.append(false)
      } else {
        scratch.printLeaf(value)
        open[open.count - 1].length += scratch.length(since: 0)
        scratch.takeBack(to: 0)
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
    isBroken[value.index] = value.length > Printer.maximalLineLength
    // Around what is broken, everything is too long.
    if let outer = open.indices.last { open[outer].length += value.length }
  }
}

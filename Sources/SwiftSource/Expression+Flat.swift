extension Expression {
  /// The expression on one line.
  package var flat: String {
    if case .code(let text) = self { return text }
    var bytes: [UInt8] = []
    appendFlat(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the expression on one line, whatever its length.
  func appendFlat(to bytes: inout [UInt8]) { _ = appendFlat(to: &bytes, upTo: .max) }

  /// Appends the expression on one line, unless `bytes` would be longer than `limit`.
  ///
  /// - Returns: `false` if a part of the expression is missing.
  func appendFlat(to bytes: inout [UInt8], upTo limit: Int) -> Bool {
    func write(_ text: String) { bytes.append(contentsOf: text.utf8) }
    switch self {
    case .code(let text):
      guard bytes.count + text.utf8.count <= limit else { return false }
      write(text)
    case .string(let value):
      guard bytes.count + value.utf8.count + 2 <= limit else { return false }
      SwiftString.appendEscaped(value, to: &bytes)
    case .rawString(let value):
      guard bytes.count + value.utf8.count + 2 <= limit else { return false }
      SwiftString.appendRaw(value, to: &bytes)
    case .lines(let lines):
      SwiftString.appendEscaped(lines.joined(separator: "\n"), to: &bytes)
    case .array(let items):
      write("[")
      for (index, item) in items.enumerated() {
        if index > 0 { write(", ") }
        guard item.appendFlat(to: &bytes, upTo: limit) else { return false }
      }
      write("]")
    case .dictionary(let entries):
      write(entries.isEmpty ? "[:" : "[")
      for (index, entry) in entries.enumerated() {
        if index > 0 { write(", ") }
        entry.key.appendFlat(to: &bytes)
        write(": ")
        guard entry.value.appendFlat(to: &bytes, upTo: limit) else { return false }
      }
      write("]")
    case .call(let callee, let arguments):
      write(callee)
      write("(")
      for (index, argument) in arguments.enumerated() {
        if index > 0 { write(", ") }
        if let label = argument.label {
          write(label)
          write(": ")
        }
        guard argument.value.appendFlat(to: &bytes, upTo: limit) else { return false }
      }
      write(")")
    }
    return bytes.count <= limit
  }
}

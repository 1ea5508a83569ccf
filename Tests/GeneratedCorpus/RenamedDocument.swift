import GraphQLSyntax

/// A document whose definitions got other names, so that it can be generated together with
/// documents that know nothing of it.
struct RenamedDocument {
  private(set) var text: String
  /// The names of the operations now, in order.
  private(set) var operations: [String] = []

  /// The name that an operation named `old` has now; `nil` stands for the only operation.
  func operation(named old: String?) -> String? {
    guard let old else { return operations.first }
    return names[old]
  }

  private var names: [String: String] = [:]

  /// Gives operations names where they have none, since only those with a name can become types,
  /// and puts `prefix` before every name that there is.
  init(_ text: String, prefix: String = "", unnamed: String = "Unnamed") {
    let (document, _) = Document.parsing(text)
    var edits: [(range: Range<Int>, text: String)] = []
    func rename(_ name: Name) {
      edits.append((Int(name.span.start)..<Int(name.span.end), prefix + document.spelling(name)))
    }
    for (index, operation) in document.operations.enumerated() {
      if let name = operation.name {
        if !prefix.isEmpty { rename(name) }
        operations.append(prefix + document.spelling(name))
        names[document.spelling(name)] = operations.last
      } else {
        let start = Int(operation.span.start)
        let keyword = operation.isShorthand ? "" : document.spelling(operation.kind.symbol)
        let at = start + keyword.utf8.count
        operations.append("\(prefix)\(unnamed)\(index)")
        edits.append((at..<at, (operation.isShorthand ? "query " : " ") + operations[index] + " "))
      }
    }
    if !prefix.isEmpty {
      document.fragments.forEach { rename($0.name) }
      document.fragmentSpreads.forEach { rename($0.name) }
    }
    var bytes = Array(text.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }
}

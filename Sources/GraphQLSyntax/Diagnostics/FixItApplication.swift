extension SourceMap {
  /// The texts of the sources that the first fix-its of `diagnostics` change, after the change.
  ///
  /// A fix-it that overlaps one before it is left out; so are all but the first of a diagnostic. What
  /// several fix-its insert or replace alike is changed once.
  /// - Returns: The changed sources by index, and how many fix-its were applied.
  /// - Complexity: O(*n* + *e* log *e*) for *n* bytes of sources that change and *e* edits.
  public func applyingFixIts(
    of diagnostics: some Sequence<Diagnostic>
  ) -> (sources: [Int: Source], count: Int) {
    var texts: [Int: EditedText] = [:]
    var count = 0
    for edits in diagnostics.compactMap({ $0.fixIts.first?.edits }) {
      let places = edits.map { sourceIndex(at: $0.span.start) }
      for index in places where texts[index] == nil {
        texts[index] = EditedText(
          length: sources[index].count, base: span(ofSourceAt: index).start)
      }
      // The same change is often offered more than once.
      let new = zip(places, edits).filter { !(texts[$0]?.has($1) ?? false) }
      guard !new.isEmpty, new.allSatisfy({ texts[$0]?.isFree(for: $1) ?? false }) else { continue }
      for (index, edit) in new { texts[index]?.add(edit) }
      count += 1
    }
    let changed = texts.filter { !$0.value.edits.isEmpty }
    return (
      Dictionary(
        uniqueKeysWithValues: changed.map { ($0.key, $0.value.applied(to: sources[$0.key])) }),
      count
    )
  }
}

/// Which bytes of a source are already being replaced, and where something is inserted.
private struct EditedText {
  private(set) var edits: Set<Diagnostic.Edit> = []
  private let base: UInt32
  /// Of each byte, whether an edit replaces it, and whether one inserts or begins before it.
  private var marks: [Mark]

  private struct Mark: OptionSet {
    let rawValue: UInt8
    static let isReplaced = Mark(rawValue: 1 << 0)
    /// An edit replaces this byte and the one before it.
    static let isWithin = Mark(rawValue: 1 << 1)
    static let hasInsertion = Mark(rawValue: 1 << 2)
  }

  init(length: Int, base: UInt32) {
    self.base = base
    marks = Array(repeating: [], count: length + 1)
  }

  private func range(of edit: Diagnostic.Edit) -> Range<Int> {
    Int(edit.span.start - base)..<Int(edit.span.end - base)
  }

  func has(_ edit: Diagnostic.Edit) -> Bool { edits.contains(edit) }

  /// Whether no edit changes, or inserts at, the same place.
  func isFree(for edit: Diagnostic.Edit) -> Bool {
    let range = range(of: edit)
    guard !range.isEmpty else {
      return marks[range.lowerBound].isDisjoint(with: [.hasInsertion, .isWithin])
    }
    return marks[range].allSatisfy { !$0.contains(.isReplaced) }
      && marks[range.dropFirst()].allSatisfy { !$0.contains(.hasInsertion) }
  }

  mutating func add(_ edit: Diagnostic.Edit) {
    edits.insert(edit)
    let range = range(of: edit)
    if range.isEmpty { marks[range.lowerBound].insert(.hasInsertion) }
    for index in range { marks[index].insert(.isReplaced) }
    for index in range.dropFirst() { marks[index].insert(.isWithin) }
  }

  /// The source after the edits. What is inserted before a byte that is replaced, stays before it.
  func applied(to source: Source) -> Source {
    let ordered = edits.sorted {
      ($0.span.start, $0.span.end) < ($1.span.start, $1.span.end)
    }
    var bytes: [UInt8] = []
    var position = 0
    for edit in ordered {
      let range = range(of: edit)
      precondition(position <= range.lowerBound, "The edits of one fix-it overlap.")
      bytes += source.bytes[position..<range.lowerBound]
      bytes += edit.replacement.utf8
      position = range.upperBound
    }
    bytes += source.bytes[position...]
    return Source(name: source.name, bytes: bytes, origin: source.origin)
  }
}

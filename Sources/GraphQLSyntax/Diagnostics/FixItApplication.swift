extension SourceMap {
  /// Applies the first fix-it of each diagnostic and returns the sources that change.
  ///
  /// 1. Take the diagnostics in order, and of each the first fix-it.
  /// 2. Drop the edits that an earlier fix-it already makes: several diagnostics often suggest the
  ///    same change.
  /// 3. Skip the fix-it if one of its other edits overlaps an earlier edit, or inserts text at the
  ///    position of an earlier insertion. A fix-it is applied as a whole or not at all.
  /// 4. Sort the edits of each source by position, and copy the text around them.
  ///
  /// - Returns: The changed sources by their index, and the number of fix-its that were applied.
  /// - Complexity: O(*n* + *e* log *e*) for *n* bytes of changed sources and *e* edits.
  public func applyingFixIts(
    of diagnostics: some Sequence<Diagnostic>
  ) -> (sources: [Int: Source], count: Int) {
    var texts: [Int: EditedText] = [:]
    var count = 0
    for edits in diagnostics.compactMap({ $0.fixIts.first?.edits }) {
      let indices = edits.map { sourceIndex(at: $0.span.start) }
      for index in indices where texts[index] == nil {
        texts[index] = EditedText(
          length: sources[index].count, base: span(ofSourceAt: index).start)
      }
      // Different diagnostics often suggest the same change.
      let new = zip(indices, edits).filter { !(texts[$0]?.has($1) ?? false) }
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

/// The edits of one source, with the bytes that they replace.
private struct EditedText {
  private(set) var edits: Set<Diagnostic.Edit> = []
  private let base: UInt32
  /// The state of each byte, and of the end of the text.
  private var marks: [Mark]

  private struct Mark: OptionSet {
    let rawValue: UInt8
    /// An edit replaces this byte.
    static let isReplaced = Mark(rawValue: 1 << 0)
    /// An edit replaces this byte and the one before it.
    static let isWithin = Mark(rawValue: 1 << 1)
    /// An edit inserts text before this byte.
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

  /// Returns whether `edit` can be added: it overlaps no other edit, and no insertion is inside it
  /// or at its position.
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

  /// Returns the edited source. Text inserted before a replaced byte comes before the replacement.
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

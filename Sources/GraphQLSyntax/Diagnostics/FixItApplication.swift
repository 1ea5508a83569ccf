extension SourceMap {
  /// The texts of the sources that the first fix-its of `diagnostics` change, after the change.
  ///
  /// A fix-it that overlaps one before it is left out; so are all but the first of a diagnostic.
  /// - Returns: The changed sources by index, and how many fix-its were applied.
  public func applyingFixIts(
    of diagnostics: some Sequence<Diagnostic>
  ) -> (sources: [Int: Source], count: Int) {
    var accepted: [Diagnostic.Edit] = []
    var count = 0
    for edits in diagnostics.compactMap({ $0.fixIts.first?.edits }) {
      // The same change is often offered more than once.
      let new = edits.filter { !accepted.contains($0) }
      guard !new.isEmpty, !new.contains(where: { edit in accepted.contains { $0.overlaps(edit) } })
      else { continue }
      accepted += new
      count += 1
    }
    let bySource = Dictionary(grouping: accepted) { sourceIndex(at: $0.span.start) }
    return (
      Dictionary(
        uniqueKeysWithValues: bySource.map { ($0, applying($1, toSourceAt: $0)) }), count
    )
  }

  private func applying(_ edits: [Diagnostic.Edit], toSourceAt index: Int) -> Source {
    let source = sources[index]
    let base = Int(span(ofSourceAt: index).start)
    var bytes = Array(source.bytes)
    for edit in edits.sorted(by: { $0.span.start > $1.span.start }) {
      let range = Int(edit.span.start) - base..<Int(edit.span.end) - base
      bytes.replaceSubrange(range, with: edit.replacement.utf8)
    }
    return Source(name: source.name, bytes: bytes, origin: source.origin)
  }
}

extension Diagnostic.Edit {
  /// Whether both change, or insert at, the same place.
  fileprivate func overlaps(_ other: Diagnostic.Edit) -> Bool {
    span == other.span || span.start < other.span.end && other.span.start < span.end
  }
}

import GraphQLSyntax

/// A part of a file of a project.
struct FilePart: Hashable {
  /// The name of the file, relative to the root of the project.
  var file: String
  /// The bytes in the file.
  var bytes: Range<Int>
}

/// A diagnostic of the compiler whose positions are bytes of files, so that it stays valid when
/// other files change.
struct Problem: Hashable {
  var rule: Diagnostic.Rule
  var severity: Diagnostic.Severity
  var message: String
  var part: FilePart
  var notes: [Note] = []
  var fixIts: [FixIt] = []

  struct Note: Hashable {
    var message: String
    var part: FilePart
  }

  struct FixIt: Hashable {
    var message: String
    var edits: [Edit]
  }

  struct Edit: Hashable {
    var part: FilePart
    var replacement: String
  }
}

extension Problem {
  /// Creates the problem of a diagnostic.
  ///
  /// - Parameters:
  ///   - diagnostic: The diagnostic.
  ///   - sources: The sources that its spans refer to.
  ///   - file: The file for a diagnostic without a position.
  init(_ diagnostic: Diagnostic, in sources: SourceMap, otherwise file: String) {
    rule = diagnostic.rule
    severity = diagnostic.severity
    message = diagnostic.message
    part = diagnostic.span.map { FilePart($0, in: sources) } ?? FilePart(file: file, bytes: 0..<0)
    notes = diagnostic.notes.map { Note(message: $0.message, part: FilePart($0.span, in: sources)) }
    fixIts = diagnostic.fixIts.map { fixIt in
      FixIt(
        message: fixIt.message,
        edits: fixIt.edits.map {
          Edit(part: FilePart($0.span, in: sources), replacement: $0.replacement)
        })
    }
  }
}

extension Problem {
  /// Returns whether the problem comes before another one of the same file. The order is total, so
  /// that the same problems are always reported in the same way.
  func precedes(_ other: Problem) -> Bool {
    let (first, second) = (part.bytes, other.part.bytes)
    let order = (first.lowerBound, first.upperBound, rule.rawValue, message)
    let otherOrder = (second.lowerBound, second.upperBound, other.rule.rawValue, other.message)
    return order == otherOrder
      ? places.lexicographicallyPrecedes(other.places) : order < otherOrder
  }

  /// The places of the notes, as texts to compare.
  private var places: [String] {
    notes.map { "\($0.part.file) \($0.part.bytes.lowerBound) \($0.message)" }
  }
}

extension FilePart {
  init(_ span: SourceSpan, in sources: SourceMap) {
    let index = sources.sourceIndex(at: span.start)
    let base = sources.span(ofSourceAt: index).start
    let source = sources.sources[index]
    file = source.name
    // Spans in the transcript of an introspection have no position in its file.
    bytes =
      source.isDerived ? 0..<0 : Int(span.start - base)..<Int(max(span.start, span.end) - base)
  }
}

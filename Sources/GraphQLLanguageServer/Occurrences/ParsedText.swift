import GraphQLSchema
import GraphQLSyntax

/// The document of one file, or of several, whose names mean elements of a schema.
struct ParsedText {
  let document: Document
  let schema: Schema
  /// The part of the document's sources that is the file.
  let span: SourceSpan
  /// `true` if the file is one of the schema.
  let isSchema: Bool

  /// Parses a file of operations, or one that is not part of a project.
  init(_ source: Source, _ schema: Schema) {
    self.init([source], schema)
  }

  /// Parses files of operations, after the sources of the schema.
  init(_ sources: [Source], _ schema: Schema) {
    var document = Document(names: schema.names, sources: schema.document.sources)
    let first = document.sources.sources.count
    _ = document.parse(sources, options: .drafts)
    span = SourceSpan(
      start: document.sources.span(ofSourceAt: first).start,
      end: document.sources.span(ofSourceAt: document.sources.sources.count - 1).end)
    self.document = document
    self.schema = schema
    isSchema = false
  }

  /// Finds the file `name` in the document of a schema.
  init?(_ name: String, inDocumentOf schema: Schema) {
    let sources = schema.document.sources
    guard let index = sources.sources.firstIndex(where: { $0.name == name && !$0.isDerived })
    else { return nil }
    document = schema.document
    self.schema = schema
    span = sources.span(ofSourceAt: index)
    isSchema = true
  }

  /// All names with a meaning, in the order of the text.
  var occurrences: [Occurrence] {
    OccurrenceSearch.occurrences(in: document, schema, around: span)
  }

  /// Returns the definition of a variable of a fragment.
  func variable(_ name: String, of fragment: String) -> VariableDefinition? {
    document.fragments.first { document.spelling($0.name) == fragment }
      .flatMap { document[$0.variables].first { document.spelling($0.name) == name } }
  }

  /// Returns the names of the variables that a fragment declares, and of those of operations that
  /// it uses.
  func variables(in fragment: String) -> Set<String> {
    var search = OccurrenceSearch(document, schema)
    for index in document.fragments.indices
    where document.spelling(document.fragments[index].name) == fragment {
      search.visit(.fragment(.init(rawValue: UInt32(index))))
    }
    return Set(
      search.occurrences.compactMap { occurrence in
        switch occurrence.meaning {
        case .variable(let name), .fragmentVariable(let name, fragment): name
        default: nil
        }
      })
  }

  /// Returns the name at an offset of the file.
  func occurrence(at offset: Int) -> Occurrence? {
    let position = span.start + UInt32(offset)
    return OccurrenceSearch.occurrences(
      in: document, schema, around: SourceSpan(at: position)
    ).last { $0.span.start <= position && position <= $0.span.end }
  }

  /// The definitions of the file.
  var definitions: [Definition] {
    document.definitions.filter {
      let start = document.span(of: $0).start
      return span.start <= start && start < span.end
    }
  }

  /// Returns the bytes of the file that a span covers.
  func bytes(of part: SourceSpan) -> Range<Int> {
    Int(part.start - span.start)..<Int(max(part.start, part.end) - span.start)
  }

  /// Returns the span of a part of a file, or `nil` if the document does not have the file.
  func span(of part: FilePart) -> SourceSpan? {
    let sources = document.sources
    guard let index = sources.sources.lastIndex(where: { $0.name == part.file }) else { return nil }
    let base = sources.span(ofSourceAt: index).start
    return SourceSpan(
      start: base + UInt32(part.bytes.lowerBound), end: base + UInt32(part.bytes.upperBound))
  }

  /// Returns the response names of the fields that are selected beside the one whose alias is at
  /// `span`.
  func responseNames(besideAliasAt span: SourceSpan) -> Set<String> {
    /// The selection sets around the alias, from the outermost one on.
    var sets: [SelectionSet] = document.definitions.compactMap { definition in
      let part = document.span(of: definition)
      guard part.start <= span.start, span.start < part.end else { return nil }
      switch definition {
      case .operation(let id): return document[id].selectionSet
      case .fragment(let id): return document[id].selectionSet
      case .schema, .type, .directive: return nil
      }
    }
    while let set = sets.popLast() {
      var names: Set<String> = []
      var hasAlias = false
      for selection in document[set.selections] {
        switch selection {
        case .field(let id):
          let field = document[id]
          if field.alias?.span.start == span.start {
            hasAlias = true
          } else {
            names.insert(document.spelling(field.responseName))
          }
          if let inner = field.selectionSet { sets.append(inner) }
        case .inlineFragment(let id): sets.append(document[id].selectionSet)
        case .fragmentSpread: break
        }
      }
      if hasAlias { return names }
    }
    return []
  }
}

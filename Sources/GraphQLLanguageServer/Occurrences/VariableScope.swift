import GraphQLSyntax

/// The definitions in which a variable of an operation is the same variable: the operation, and the
/// fragments that it spreads and that use it. A fragment that several operations spread joins their
/// variables of that name.
struct VariableScope {
  private let name: String
  private let text: ParsedText
  /// The operations and fragments of the scope.
  private(set) var definitions: Set<Definition> = []

  /// Creates the scope of the variable at `span`.
  init(_ name: String, usedAt span: SourceSpan, in text: ParsedText) {
    self.name = name
    self.text = text
    let document = text.document
    guard
      let start = document.definitions.first(where: {
        let part = document.span(of: $0)
        return part.start <= span.start && span.start < part.end
      })
    else { return }
    definitions = [start]
    var reached: [Definition: Set<Definition>] = [:]
    for definition in document.definitions {
      if case .operation = definition { reached[definition] = fragments(reachedFrom: definition) }
    }
    while true {
      var next = definitions
      for (operation, fragments) in reached
      where definitions.contains(operation) || !definitions.isDisjoint(with: fragments) {
        next.insert(operation)
        next.formUnion(fragments.filter(uses))
      }
      if next == definitions { return }
      definitions = next
    }
  }

  /// The definition of the variable in the first operation of the scope that has one.
  var definition: VariableDefinition? {
    for case .operation(let id) in text.document.definitions
    where definitions.contains(.operation(id)) {
      let variables = text.document[text.document[id].variables]
      if let found = variables.first(where: { text.document.spelling($0.name) == name }) {
        return found
      }
    }
    return nil
  }

  /// The occurrences of the variable.
  var occurrences: [Occurrence] {
    occurrences(in: definitions).filter { $0.meaning == .variable(name) }
  }

  /// Returns whether another variable of the scope has the name `other`.
  func has(_ other: String) -> Bool {
    occurrences(in: definitions).contains { $0.meaning == .variable(other) }
  }

  private func occurrences(in definitions: Set<Definition>) -> [Occurrence] {
    var search = OccurrenceSearch(text.document, text.schema)
    for definition in definitions { search.visit(definition) }
    return search.occurrences
  }

  private func uses(_ definition: Definition) -> Bool {
    occurrences(in: [definition]).contains { $0.meaning == .variable(name) }
  }

  private func fragments(reachedFrom operation: Definition) -> Set<Definition> {
    var found: Set<Definition> = []
    var open = [operation]
    while let next = open.popLast() {
      let part = text.document.span(of: next)
      let spreads = text.document.fragmentSpreads.filter {
        part.start <= $0.span.start && $0.span.start < part.end
      }
      for spread in spreads {
        let fragments = text.document.fragments.indices.filter {
          text.document.fragments[$0].name.symbol == spread.name.symbol
        }
        for index in fragments {
          let fragment = Definition.fragment(.init(rawValue: UInt32(index)))
          if found.insert(fragment).inserted { open.append(fragment) }
        }
      }
    }
    return found
  }
}

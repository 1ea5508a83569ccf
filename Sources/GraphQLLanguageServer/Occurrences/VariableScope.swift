import GraphQLSyntax

/// The definitions in which a variable of an operation is the same variable: the operation, and the
/// fragments that it spreads and that use it. A fragment that several operations spread joins their
/// variables of that name. A fragment that declares the variable itself is no part of it.
struct VariableScope {
  private let name: String
  private let text: ParsedText
  /// The definition around the variable.
  private var start: Definition?
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
    self.start = start
    definitions = [start]
    let spreads = SpreadGraph(document)
    var reached: [(operation: Definition, fragments: Set<Definition>)] = []
    for definition in document.definitions {
      if case .operation = definition {
        reached.append((definition, spreads.fragments(reachedFrom: definition)))
      }
    }
    /// The definitions that were looked at, and the result.
    var uses: [Definition: Bool] = [:]
    while true {
      var next = definitions
      // What an operation adds, it adds once.
      reached.removeAll { operation, fragments in
        guard definitions.contains(operation) || !definitions.isDisjoint(with: fragments) else {
          return false
        }
        next.insert(operation)
        for fragment in fragments {
          let isUser = uses[fragment] ?? self.uses(fragment)
          uses[fragment] = isUser
          if isUser { next.insert(fragment) }
        }
        return true
      }
      if next == definitions { return }
      definitions = next
    }
  }

  /// The definition of the variable in the operation around it, or else, for a fragment, in the
  /// first operation of the scope that has one.
  var definition: VariableDefinition? {
    var operations = text.document.definitions.filter(definitions.contains)
    if case .operation? = start { operations.removeAll { $0 != start } }
    for case .operation(let id) in operations {
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
    definitions.contains { definition in
      var meanings: Set<Meaning> = [.variable(other)]
      if case .fragment(let id) = definition {
        let fragment = text.document.spelling(text.document[id].name)
        meanings.insert(.fragmentVariable(other, of: fragment))
      }
      return occurrences(in: [definition]).contains { meanings.contains($0.meaning) }
    }
  }

  private func occurrences(in definitions: Set<Definition>) -> [Occurrence] {
    var search = OccurrenceSearch(text.document, text.schema)
    for definition in definitions { search.visit(definition) }
    return search.occurrences
  }

  private func uses(_ definition: Definition) -> Bool {
    occurrences(in: [definition]).contains { $0.meaning == .variable(name) }
  }
}

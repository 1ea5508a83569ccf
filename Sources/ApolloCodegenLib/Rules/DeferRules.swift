import ApolloIR
import GraphQLSyntax

/// Rules for `@defer` beyond the specification: the struct of an inline fragment is named after its
/// label, or `Deferred` if it has none.
enum DeferRules: GenerationRule {
  static func diagnostics(_ subject: ClientDocument) -> [Diagnostic] {
    let document = subject.document
    let labels = document.inlineFragments.compactMap { fragment in
      document.deferral(fragment.directives)?.label.flatMap { label in
        isName(label)
          ? nil
          : problem(
            "The label '\(label)' cannot become a name. Use letters, digits and underscores.",
            with: fragment, in: document)
      }
    }
    return labels
      + document.definitions.flatMap { definition -> [Diagnostic] in
        switch definition {
        case .operation(let id): ambiguities(in: document[id].selectionSet, of: document)
        case .fragment(let id): ambiguities(in: document[id].selectionSet, of: document)
        default: []
        }
      }
  }

  /// Returns a problem for each fragment without a label that another one of the same object could
  /// be confused with.
  ///
  /// - Complexity: O(*n*) in the number of selections.
  private static func ambiguities(
    in root: GraphQLSyntax.SelectionSet, of document: Document
  ) -> [Diagnostic] {
    var result: [Diagnostic] = []
    var objects = [[root]]
    while let sets = objects.popLast() {
      let object = DeferringObject(sets, in: document)
      objects += object.children.reversed()
      guard object.defaultNamed.count > 1 else { continue }
      result += object.defaultNamed.dropFirst().map { fragment in
        problem(
          "Another deferred fragment of this object is called '\(Deferral.defaultLabel)' too. "
            + "Give this one a label: '@defer(label: \"details\")'.", with: fragment, in: document)
      }
    }
    return result
  }

  private static func problem(
    _ message: String, with fragment: GraphQLSyntax.InlineFragment, in document: Document
  ) -> Diagnostic {
    let directive = document[fragment.directives].first {
      document.spelling($0.name) == ServerDirective.deferred
    }
    return Diagnostic(
      rule: "DeferredLabels", message: message, at: directive?.span ?? fragment.span)
  }

  private static func isName(_ label: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return label.utf8.first.map { letters.contains($0 | 0x20) } ?? false
      && label.utf8.allSatisfy {
        letters.contains($0 | 0x20) || digits.contains($0) || $0 == UInt8(ascii: "_")
      }
  }
}

/// The selections of one object, wherever in the document they are.
private struct DeferringObject {
  /// The deferred inline fragments with the name of those without a label, in order.
  private(set) var defaultNamed: [GraphQLSyntax.InlineFragment] = []
  /// The selections of each field with an object, in order.
  private(set) var children: [[GraphQLSyntax.SelectionSet]] = []
  private var positions: [Symbol: Int] = [:]

  init(_ sets: [GraphQLSyntax.SelectionSet], in document: Document) {
    var pending = Array(sets.reversed())
    while let set = pending.popLast() {
      for selection in document[set.selections] {
        switch selection {
        case .field(let id):
          guard let child = document[id].selectionSet else { continue }
          add(child, of: document[id].responseName)
        case .inlineFragment(let id):
          let fragment = document[id]
          let label = document.deferral(fragment.directives).map {
            $0.label ?? Deferral.defaultLabel
          }
          if label == Deferral.defaultLabel { defaultNamed.append(fragment) }
          pending.append(fragment.selectionSet)
        case .fragmentSpread: continue
        }
      }
    }
  }

  private mutating func add(_ set: GraphQLSyntax.SelectionSet, of responseName: Symbol) {
    if let position = positions[responseName] {
      children[position].append(set)
    } else {
      positions[responseName] = children.count
      children.append([set])
    }
  }
}

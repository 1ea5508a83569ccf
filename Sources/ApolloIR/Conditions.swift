package import GraphQLSyntax

/// The result of `@include` and `@skip` at a selection.
enum Inclusion {
  case always
  case never
  /// The conditions in the order of the directives, without those that already hold.
  case when([Condition])

  var conditions: [Condition]? {
    switch self {
    case .always: []
    case .never: nil
    case .when(let conditions): conditions
    }
  }
}

/// A `@defer` that no literal turns off.
package struct Deferral {
  /// The label, or `nil` if there is none.
  package var label: String?
  /// The variable of `if`, or `nil` if there is none.
  var variable: String?

  /// The name of an inline fragment that has no label.
  package static let defaultLabel = "deferred"
}

extension [Condition] {
  /// Returns `true` if both have the same conditions, in any order.
  func isReordering(of other: [Condition]) -> Bool {
    count == other.count && allSatisfy(other.contains)
  }
}

extension Document {
  /// Returns the `@defer` among directives, or `nil` if there is none, or one that is turned off.
  package func deferral(_ directives: GraphQLSyntax.Directive.List) -> Deferral? {
    for directive in self[directives] where spelling(directive.name) == ServerDirective.deferred {
      var deferral = Deferral()
      switch flag(of: directive) {
      case .literal(false): return nil
      case .variable(let name): deferral.variable = name
      case .literal(true), nil: break
      }
      for argument in self[directive.arguments] where spelling(argument.name) == "label" {
        if case .string(let literal) = argument.value.content { deferral.label = string(literal) }
      }
      return deferral
    }
    return nil
  }

  /// Returns the conditions of a selection, given those that hold around it.
  ///
  /// Literals are folded. A selection with a condition and its opposite is never included. The
  /// names of inline fragments list the conditions as they are written, as in Apollo iOS.
  func inclusion(_ directives: GraphQLSyntax.Directive.List, given fulfilled: Set<Condition>)
    -> Inclusion
  {
    guard !directives.isEmpty else { return .always }
    var conditions: [Condition] = []
    for directive in self[directives] {
      switch spelling(directive.name) {
      case "include":
        switch flag(of: directive) {
        case .literal(false): return .never
        case .variable(let name): conditions.append(.include(name))
        case .literal(true), nil: continue
        }
      case "skip":
        switch flag(of: directive) {
        case .literal(true): return .never
        case .variable(let name): conditions.append(.skip(name))
        case .literal(false), nil: continue
        }
      default: continue
      }
    }
    let all = fulfilled.union(conditions)
    if conditions.contains(where: { $0.opposite.map(all.contains) ?? false }) { return .never }
    var known = fulfilled
    conditions.removeAll { !known.insert($0).inserted }
    return conditions.isEmpty ? .always : .when(conditions)
  }

  private enum Flag {
    case literal(Bool)
    case variable(String)
  }

  private func flag(of directive: GraphQLSyntax.Directive) -> Flag? {
    for argument in self[directive.arguments] where spelling(argument.name) == "if" {
      switch argument.value.content {
      case .boolean(let value): return .literal(value)
      case .variable(let name): return .variable(spelling(name))
      default: return nil
      }
    }
    return nil
  }
}

import ApolloIR
import GraphQLSyntax

/// The rule that fields and variables are in no more lists than generated code can have.
enum ListRules {
  /// The greatest number of lists around a value. The compiler's time grows exponentially with it.
  ///
  /// Fields of input objects are not checked, because a project may not own its schema.
  private static let mostLists = 20

  static func diagnostics(_ program: Program) -> [Diagnostic] {
    let fields = program.selectionSets.flatMap { set in
      set.selections.compactMap { selection -> Diagnostic? in
        guard case .field(let field) = selection else { return nil }
        return diagnostic(of: "field", named: field.name, field.type, at: field.span)
      }
    }
    let variables = program.definitions.flatMap { definition in
      definition.variables.compactMap { variable in
        diagnostic(of: "variable", named: "$\(variable.name)", variable.type, at: variable.span)
      }
    }
    return fields + variables
  }

  private static func diagnostic(
    of kind: String, named name: String, _ type: ValueType, at span: SourceSpan
  ) -> Diagnostic? {
    let depth = listDepth(type)
    guard depth > mostLists else { return nil }
    return Diagnostic(
      rule: "SupportedLists",
      message: "The values of '\(name)' are in \(depth) lists, one in the other, and generated "
        + "code has \(mostLists) at most. Leave the \(kind) out.",
      at: span)
  }

  private static func listDepth(_ type: ValueType) -> Int {
    var depth = 0
    var type = type.nullable
    while case .list(let element) = type {
      depth += 1
      type = element.nullable
    }
    return depth
  }
}

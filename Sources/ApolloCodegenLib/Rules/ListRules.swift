import ApolloIR
import GraphQLSyntax

/// The rule that fields are in no more lists than models can read.
enum ListRules {
  /// The number of lists around a value that the response reader supports.
  private static let mostLists = 30

  static func diagnostics(_ program: Program) -> [Diagnostic] {
    program.selectionSets.flatMap { set in
      set.selections.compactMap { selection -> Diagnostic? in
        guard case .field(let field) = selection else { return nil }
        let depth = listDepth(field.type)
        guard depth > mostLists else { return nil }
        return Diagnostic(
          rule: "SupportedLists",
          message: "The values of '\(field.name)' are in \(depth) lists, one in the other, and "
            + "models read \(mostLists) at most. Leave the field out.",
          at: field.span)
      }
    }
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

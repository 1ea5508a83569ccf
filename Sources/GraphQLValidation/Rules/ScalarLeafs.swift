import GraphQLSchema
import GraphQLSyntax

/// Fields of composite types have selections, and fields of leaf types have none.
///
/// Spec: 5.3.3, "Leaf Field Selections".
enum ScalarLeafs: Rule {
  static let name = ValidationRule.scalarLeafs.diagnosticRule

  static func check(
    _ field: Field, of type: ResolvedType, in context: inout ValidationContext
  ) {
    let kind = context.schema[type.namedType].kind
    if let selectionSet = field.selectionSet {
      // In a faulty schema, a field can have an input object type, which has no fields to select.
      if !kind.isComposite { reportSelection(selectionSet, of: field, type, &context) }
    } else if !kind.isLeaf {
      reportMissingSelection(of: field, type, &context)
    }
  }

  private static func reportSelection(
    _ selectionSet: SelectionSet, of field: Field, _ type: ResolvedType,
    _ context: inout ValidationContext
  ) {
    let name = context.document.spelling(field.name)
    context.report(
      Self.self,
      "Field \"\(name)\" must not have a selection since type "
        + "\"\(context.schema.spelling(type))\" has no subfields.",
      at: selectionSet.span)
  }

  private static func reportMissingSelection(
    of field: Field, _ type: ResolvedType, _ context: inout ValidationContext
  ) {
    let name = context.document.spelling(field.name)
    context.report(
      Self.self,
      "Field \"\(name)\" of type \"\(context.schema.spelling(type))\" must have a selection of "
        + "subfields. Did you mean \"\(name) { ... }\"?",
      at: field.span,
      fixIts: [
        Diagnostic.FixIt(
          "select '__typename'", replacing: SourceSpan(at: field.span.end),
          with: " { __typename }")
      ])
  }
}

import GraphQLSchema
import GraphQLSyntax

/// Every selected field is defined on the type from which it is selected.
///
/// Spec: 5.3.1, "Field Selections".
enum FieldsOnCorrectType: Rule {
  static let name = ValidationRule.fieldsOnCorrectType.diagnosticRule

  /// Reports `field`, which `type` does not define.
  static func check(
    _ field: Field, on type: Schema.NamedType.ID, in context: inout ValidationContext
  ) {
    let name = context.document.spelling(field.name)
    let owners = typesWithField(field.name.symbol, within: type, &context)
    let names = owners.isEmpty ? similarFields(to: name, of: type, &context) : []
    let hint =
      owners.isEmpty
      ? didYouMean(names) : didYouMean(owners, kind: "to use an inline fragment on")
    context.report(
      Self.self,
      "Cannot query field \"\(name)\" on type \"\(context.schema.name(of: type))\".\(hint)",
      at: field.span,
      fixIts: Diagnostic.FixIt.correctSpelling(of: field.name.span, to: names))
  }

  private static func similarFields(
    to name: String, of type: Schema.NamedType.ID, _ context: inout ValidationContext
  ) -> [String] {
    let schema = context.schema
    return context.candidates(
      for: name, among: schema[schema[type].fields].lazy.map { schema.spelling($0.name) })
  }
}

// MARK: - Types to use a fragment on

extension FieldsOnCorrectType {
  /// Returns the possible types of `type` that define the field, and their interfaces that define
  /// it.
  ///
  /// Types that more possible types implement come first, and interfaces before their
  /// implementations.
  private static func typesWithField(
    _ name: Symbol, within type: Schema.NamedType.ID, _ context: inout ValidationContext
  ) -> [String] {
    let schema = context.schema
    guard schema[type].kind.isAbstract,
      context.suggestions.spend(schema.possibleTypes(of: type).count)
    else { return [] }
    var found: [Schema.NamedType.ID] = []
    var usageCounts: [Schema.NamedType.ID: Int] = [:]
    for object in schema.possibleTypes(of: type) where defines(name, object, schema) {
      found.append(object)
      usageCounts[object] = 1
      for mention in schema[schema[object].interfaces] where defines(name, mention.type, schema) {
        let count = usageCounts[mention.type, default: 0]
        if count == 0 { found.append(mention.type) }
        usageCounts[mention.type] = count + 1
      }
    }
    found.sort { first, second in
      let counts = (usageCounts[first, default: 0], usageCounts[second, default: 0])
      if counts.0 != counts.1 { return counts.0 > counts.1 }
      if isInterface(first, of: second, schema) { return true }
      if isInterface(second, of: first, schema) { return false }
      return precedesNaturally(schema.name(of: first), schema.name(of: second))
    }
    return found.map { schema.name(of: $0) }
  }

  private static func defines(
    _ name: Symbol, _ type: Schema.NamedType.ID, _ schema: Schema
  ) -> Bool {
    guard let field = schema.field(name, of: type) else { return false }
    return schema[field].owner == type
  }

  private static func isInterface(
    _ type: Schema.NamedType.ID, of other: Schema.NamedType.ID, _ schema: Schema
  ) -> Bool {
    type != other && schema[type].kind == .interface && schema.isSubtype(other, of: type)
  }
}

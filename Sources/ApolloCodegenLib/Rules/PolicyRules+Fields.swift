import GraphQLSchema
import GraphQLSyntax

/// Rules for `@fieldPolicy`, whose arguments determine the objects of a field before the field is
/// fetched.
extension PolicyRules {
  mutating func checkField(of directive: Directive, on type: Schema.NamedType.ID) {
    guard let (fieldName, span) = string("forField", of: directive) else { return }
    let policy = "'@fieldPolicy' of '\(name(of: type))'"
    guard let (text, argumentSpan) = string("keyArgs", of: directive) else {
      return report(
        "\(policy) names no argument. Add 'keyArgs:' with those that tell the objects apart, or "
          + "'paginationArgs:' with those that select a page.", directive.span)
    }
    guard let field = field(named: fieldName, of: type) else {
      return report(
        "\(policy) is for the field '\(fieldName)', which '\(name(of: type))' does not have. "
          + "Name a field of the type.", span)
    }
    let fieldType = schema[field].type
    guard schema[fieldType.namedType].kind.isComposite else {
      return report(
        "\(policy) is for the field '\(fieldName)', which has no objects. "
          + "Name a field that leads to objects.", span)
    }
    guard fieldType.wrapping.listDepth < 2 else {
      return report(
        "\(policy) is for the field '\(fieldName)', whose lists are nested. "
          + "Name a field that leads to objects or to one list of them.", span)
    }
    let paths = Self.names(in: text)
    if paths.isEmpty {
      report("\(policy) names no argument. Name those that tell the objects apart.", argumentSpan)
    }
    let arguments = paths.compactMap { path in
      checkArgument(path, of: field, fieldName, policy, argumentSpan)
    }
    guard arguments.count == paths.count, !paths.isEmpty else { return }
    checkLists(arguments, fieldType, "\(policy) is for the field '\(fieldName)'", argumentSpan)
  }

  /// A list of objects is determined by one list of values, and a single object by none.
  private mutating func checkLists(
    _ arguments: [ResolvedType], _ field: ResolvedType, _ subject: String, _ span: SourceSpan
  ) {
    let lists = arguments.count(where: \.isList)
    if lists > 1 || arguments.contains(where: { $0.wrapping.listDepth > 1 }) {
      report(
        "\(subject), and names lists of lists, or more than one list. Name one list at most.", span)
    } else if field.isList, lists == 0 {
      report(
        "\(subject), which is a list, and names no argument that is one. "
          + "Name the argument with a value for each object.", span)
    } else if !field.isList, lists == 1 {
      report(
        "\(subject), which is one object, and names an argument that is a list. "
          + "Name arguments with one value.", span)
    }
  }

  /// Returns the type of an argument; `input.id` is a field of an input object.
  ///
  /// Reports a problem and returns `nil` if there is no such argument, or if it cannot be part of a
  /// key.
  private mutating func checkArgument(
    _ path: String, of field: Schema.Field.ID, _ fieldName: String, _ policy: String,
    _ span: SourceSpan
  ) -> ResolvedType? {
    guard let type = argumentType(at: path, field) else {
      report(
        "\(policy) names the argument '\(path)', which the field '\(fieldName)' does not have. "
          + "Name arguments of the field.", span)
      return nil
    }
    guard schema[type.namedType].kind != .inputObject else {
      report(
        "\(policy) names the argument '\(path)', which is an object. "
          + "Name one of its fields: '\(path).…'.", span)
      return nil
    }
    return type
  }

  private func argumentType(at path: String, _ field: Schema.Field.ID) -> ResolvedType? {
    var parts = path.split(separator: ".", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), let symbol = schema.names.symbol(for: String(first)),
      let argument = schema.argument(symbol, in: schema[field].arguments)
    else { return nil }
    var type = schema[argument].type
    for part in parts {
      // The values inside of a list of objects have no path of their own.
      guard !type.isList, let symbol = schema.names.symbol(for: String(part)),
        let next = schema.inputField(symbol, of: type.namedType)
      else { return nil }
      type = schema[next].type
    }
    return type
  }
}

import GraphQLSchema
import GraphQLSyntax

/// Literals have the types that are expected at their positions.
///
/// Spec: 5.6.1, "Values of Correct Type"; 5.6.2, "Input Object Field Names"; 5.6.4, "Input Object
/// Required Fields".
enum ValuesOfCorrectType: Rule {
  static let name = ValidationRule.valuesOfCorrectType.diagnosticRule

  /// Checks a literal as a whole.
  ///
  /// Lists at the position of a list and objects at that of an input object are checked part by
  /// part.
  static func check(_ value: Value, is type: ResolvedType, in context: inout ValidationContext) {
    if case .null = value.content {
      guard type.isNonNull else { return }
      return report(
        "Expected value of type \"\(context.schema.spelling(type))\", found null.", value, &context)
    }
    switch context.schema[type.namedType].kind {
    case .scalar: checkScalar(value, type, &context)
    case .enum: checkEnum(value, type.namedType, &context)
    case .object, .interface, .union, .inputObject:
      report(
        "Expected value of type \"\(context.schema.spelling(type))\", "
          + "found \(context.document.printed(value)).", value, &context)
    }
  }

  private static func report(
    _ message: String, _ value: Value, _ context: inout ValidationContext,
    fixIts: [Diagnostic.FixIt] = []
  ) {
    context.report(Self.self, message, at: value.span, fixIts: fixIts)
  }
}

// MARK: - Leaves

extension ValuesOfCorrectType {
  private static func checkScalar(
    _ value: Value, _ type: ResolvedType, _ context: inout ValidationContext
  ) {
    let scalar = context.schema[type.namedType].name
    guard !LeafValues.accepts(value, as: scalar, in: context.document) else { return }
    report(
      LeafValues.problem(of: value, as: scalar, spelled: context.document.printed(value)), value,
      &context)
  }

  private static func checkEnum(
    _ value: Value, _ type: Schema.NamedType.ID, _ context: inout ValidationContext
  ) {
    if case .enum(let symbol) = value.content, context.schema.enumValue(symbol, of: type) != nil {
      return
    }
    let schema = context.schema
    let literal = context.document.printed(value)
    let candidates = context.candidates(
      for: literal, among: schema[schema[type].enumValues].lazy.map { schema.spelling($0.name) })
    report(
      LeafValues.problem(
        of: value, spelled: literal, asEnum: schema.name(of: type), candidates),
      value, &context,
      fixIts: Diagnostic.FixIt.correctSpelling(
        of: value.span,
        to: candidates.filter { "\"\($0)\"" == literal }.first.map { [$0] } ?? candidates))
  }
}

// MARK: - Input objects

extension ValuesOfCorrectType {
  /// Checks that all required fields are provided, or exactly one field of a `@oneOf` input object.
  static func check(
    _ fields: ObjectField.List, of object: Value, are type: Schema.NamedType.ID,
    in context: inout ValidationContext
  ) {
    var given = NameLookup()
    for id in context.schema[type].inputFields
    where context.schema[id].isRequired && !context.isFull {
      let definition = context.schema[id]
      let isGiven = given.contains(definition.name, in: fields) {
        context.document[$0].name.symbol
      }
      guard !isGiven else { continue }
      report(
        "Field \"\(context.schema.coordinate(of: id))\" of required type "
          + "\"\(context.schema.spelling(definition.type))\" was not provided.", object, &context)
    }
    if context.schema[type].isOneOf { checkOneOf(fields, of: object, type, &context) }
  }

  /// Checks that exactly one field of a `@oneOf` input object is provided.
  ///
  /// Spec: 5.6.5, "Input Object OneOf Fields"; 3.10.1, "OneOf Input Objects".
  private static func checkOneOf(
    _ fields: ObjectField.List, of object: Value, _ type: Schema.NamedType.ID,
    _ context: inout ValidationContext
  ) {
    let document = context.document
    guard let first = document[fields].first,
      fields.allSatisfy({ document[$0].name.symbol == first.name.symbol })
    else {
      return report(
        "OneOf Input Object \"\(context.schema.name(of: type))\" must specify exactly one key.",
        object, &context)
    }
    guard case .null = document[fields].last?.value.content else { return }
    report(
      LeafValues.problem(
        ofNullIn: document.spelling(first.name), of: context.schema.name(of: type)),
      object, &context)
  }

  /// Reports a field that the input object does not define.
  static func reportUnknown(
    _ field: ObjectField, of type: Schema.NamedType.ID, in context: inout ValidationContext
  ) {
    let schema = context.schema
    let name = context.document.spelling(field.name)
    let candidates = context.candidates(
      for: name, among: schema[schema[type].inputFields].lazy.map { schema.spelling($0.name) })
    context.report(
      Self.self,
      "Field \"\(name)\" is not defined by type \"\(schema.name(of: type))\"."
        + didYouMean(candidates),
      at: field.span,
      fixIts: Diagnostic.FixIt.correctSpelling(of: field.name.span, to: candidates))
  }
}

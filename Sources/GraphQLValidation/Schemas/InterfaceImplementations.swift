import GraphQLSchema
import GraphQLSyntax

/// Objects and interfaces provide everything that their interfaces require.
///
/// Spec: 3.6, "Type Validation", `IsValidImplementation`.
enum InterfaceImplementations: WholeRule {
  static let name: Diagnostic.Rule = "InterfaceImplementations"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for type in schema.definedTypes where !schema[type].interfaces.isEmpty && !context.isFull {
      var mentions = Mentions(schema[schema[type].interfaces])
      for mention in schema[schema[type].interfaces] {
        check(
          mention.type, of: type, &mentions, isRepetition: mentions.isRepetition(mention), schema,
          &context)
      }
    }
  }

  private static func check(
    _ interface: Schema.NamedType.ID, of type: Schema.NamedType.ID, _ mentions: inout Mentions,
    isRepetition: Bool, _ schema: Schema, _ context: inout ValidationContext
  ) {
    let (typeName, interfaceName) = (schema.name(of: type), schema.name(of: interface))
    if schema[interface].kind != .interface {
      context.report(
        Self.self,
        "Type \(typeName) must only implement Interface types, "
          + "it cannot implement \(interfaceName).",
        at: mentions.spans(of: interface))
    } else if interface == type {
      context.report(
        Self.self,
        "Type \(typeName) cannot implement itself because it would create a circular reference.",
        at: mentions.spans(of: interface))
    } else if isRepetition {
      context.report(
        Self.self, "Type \(typeName) can only implement \(interfaceName) once.",
        at: mentions.spans(of: interface))
    } else {
      checkAncestors(of: interface, type, &mentions, schema, &context)
      checkFields(of: interface, type, schema, &context)
    }
  }

  /// A type must implement all interfaces that its interfaces implement.
  private static func checkAncestors(
    of interface: Schema.NamedType.ID, _ type: Schema.NamedType.ID, _ mentions: inout Mentions,
    _ schema: Schema, _ context: inout ValidationContext
  ) {
    let ancestors = schema[schema[interface].interfaces]
    for ancestor in ancestors where !mentions.contains(ancestor.type) && !context.isFull {
      let (typeName, interfaceName) = (schema.name(of: type), schema.name(of: interface))
      let spans =
        ancestors.filter { $0.type == ancestor.type }.prefix(Mentions.maximumSpanCount)
        .map { Diagnostic.Note("mentioned here", at: $0.span) } + mentions.spans(of: interface)
      if ancestor.type == type {
        context.report(
          Self.self,
          "Type \(typeName) cannot implement \(interfaceName) "
            + "because it would create a circular reference.",
          at: spans)
      } else {
        context.report(
          Self.self,
          "Type \(typeName) must implement \(schema.name(of: ancestor.type)) "
            + "because it is implemented by \(interfaceName).",
          at: spans)
      }
    }
  }

  private static func checkFields(
    of interface: Schema.NamedType.ID, _ type: Schema.NamedType.ID,
    _ schema: Schema, _ context: inout ValidationContext
  ) {
    for required in schema[interface].fields where !context.isFull {
      guard let field = schema.ownField(schema[required].name, of: type) else {
        context.report(
          Self.self,
          "Interface field \(schema.coordinate(of: required)) expected "
            + "but \(schema.name(of: type)) does not provide it.",
          at: [Diagnostic.Note("required here", at: schema.span(of: required))]
            + schema.definitionSpans(of: type))
        continue
      }
      if !schema.isSubtype(schema[field].type, of: schema[required].type) {
        context.report(
          Self.self,
          "Interface field \(schema.coordinate(of: required)) expects type "
            + "\(schema.spelling(schema[required].type)) but \(schema.coordinate(of: field)) "
            + "is type \(schema.spelling(schema[field].type)).",
          at: schema.typeSpan(of: required),
          notes: [Diagnostic.Note("type of the implementation", at: schema.typeSpan(of: field))])
      }
      checkArguments(of: field, against: required, schema, &context)
      checkDeprecation(of: field, against: required, schema, &context)
    }
  }

  private static func checkArguments(
    of field: Schema.Field.ID, against required: Schema.Field.ID,
    _ schema: Schema, _ context: inout ValidationContext
  ) {
    for expected in schema[required].arguments where !context.isFull {
      let name = schema[expected].name
      guard let argument = schema.argument(name, in: schema[field].arguments) else {
        context.report(
          Self.self,
          "Interface field argument \(schema.coordinate(of: expected)) expected "
            + "but \(schema.coordinate(of: field)) does not provide it.",
          at: schema.span(of: expected),
          notes: [Diagnostic.Note("missing here", at: schema.span(of: field))])
        continue
      }
      guard schema[argument].type != schema[expected].type else { continue }
      context.report(
        Self.self,
        "Interface field argument \(schema.coordinate(of: expected)) expects type "
          + "\(schema.spelling(schema[expected].type)) but \(schema.coordinate(of: argument)) "
          + "is type \(schema.spelling(schema[argument].type)).",
        at: schema.typeSpan(of: expected),
        notes: [Diagnostic.Note("type of the implementation", at: schema.typeSpan(of: argument))])
    }
    checkAdditionalArguments(of: field, against: required, schema, &context)
  }

  /// Arguments that the interface does not define are optional.
  private static func checkAdditionalArguments(
    of field: Schema.Field.ID, against required: Schema.Field.ID,
    _ schema: Schema, _ context: inout ValidationContext
  ) {
    for argument in schema[field].arguments
    where schema[argument].isRequired && !context.isFull {
      let known = schema[required].arguments
      guard schema.argument(schema[argument].name, in: known) == nil else { continue }
      context.report(
        Self.self,
        "Argument \"\(schema.coordinate(of: argument))\" must not be required type "
          + "\"\(schema.spelling(schema[argument].type))\" if not provided by the "
          + "Interface field \"\(schema.coordinate(of: required))\".",
        at: schema.span(of: argument),
        notes: [Diagnostic.Note("not known here", at: schema.span(of: required))])
    }
  }

  private static func checkDeprecation(
    of field: Schema.Field.ID, against required: Schema.Field.ID,
    _ schema: Schema, _ context: inout ValidationContext
  ) {
    guard schema[field].isDeprecated, !schema[required].isDeprecated else { return }
    context.report(
      DeprecatedImplementations.self,
      "Interface field \(schema.coordinate(of: required)) is not deprecated, "
        + "so implementation field \(schema.coordinate(of: field)) must not be deprecated.",
      at: schema.deprecationSpan(in: schema.directives(of: field)),
      notes: [Diagnostic.Note("the implementation", at: schema.typeSpan(of: field))])
  }
}

/// A field is deprecated only if the interface field that it implements is deprecated.
///
/// Published schemas often break this rule, and nothing else depends on it. It therefore has a
/// name, and a severity, of its own. ``InterfaceImplementations`` reports it, because it pairs the
/// fields.
///
/// Spec: 3.6, "Type Validation", `IsValidImplementation`.
enum DeprecatedImplementations: Rule {
  static let name: Diagnostic.Rule = "DeprecatedImplementations"
}

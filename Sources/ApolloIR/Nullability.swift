package import GraphQLSchema
package import GraphQLSyntax

/// The nullability directives of a schema.
///
/// A directive of the same name that a schema defines with another meaning is none of them: it is
/// sent to the server like any other.
package struct Nullability: Sendable {
  package let names: NullabilityNames
  /// The treatment of errors in all documents, or `nil` if the schema gives none.
  package private(set) var schemaDefault: CatchTreatment?
  private let schema: Schema
  private var directives: [Symbol: NullabilityDirective] = [:]
  /// The levels that `@semanticNonNullField` lists, by type and field.
  private var extendedLevels: [Schema.NamedType.ID: [String: [Int]]] = [:]

  package init(of schema: Schema) {
    self.schema = schema
    names = NullabilityNames(in: schema.document)
    for directive in NullabilityDirective.allCases {
      guard let symbol = schema.names.symbol(for: names[directive]),
        let id = schema.directive(named: symbol),
        !hasSingleLevel(schema[id]),
        names.isLinked && directive.isSpecified || hasMeaning(schema[id], of: directive)
      else { continue }
      directives[symbol] = directive
    }
    for definition in schema.schemaDefinitions {
      for directive in schema.document[schema.document[definition].directives]
      where self[directive] == .catchByDefault {
        schemaDefault = Self.treatment(of: directive, in: schema.document)
      }
    }
    readExtensions()
  }

  /// Returns the meaning of a directive, or `nil` if it is none about nullability.
  package subscript(directive: GraphQLSyntax.Directive) -> NullabilityDirective? {
    directives[directive.name.symbol]
  }

  private mutating func readExtensions() {
    guard schema.document.directives.contains(where: { self[$0] == .semanticNonNullField }) else {
      return
    }
    for type in schema.definedTypes where schema[type].kind.isComposite {
      for directive in schema.directives(of: type) where self[directive] == .semanticNonNullField {
        guard let name = name(of: directive) else { continue }
        extendedLevels[type, default: [:]][name, default: []] += Self.levels(
          of: directive, in: schema.document)
      }
    }
  }

  /// Returns the argument `name:` of a directive.
  private func name(of directive: GraphQLSyntax.Directive) -> String? {
    let document = schema.document
    for argument in document[directive.arguments] where document.spelling(argument.name) == "name" {
      if case .string(let literal) = argument.value.content { return document.string(literal) }
    }
    return nil
  }

  // MARK: - Definitions

  /// Returns whether a definition is that of version 0.1 of the specification, whose directives
  /// have one level.
  private func hasSingleLevel(_ definition: Schema.DirectiveDefinition) -> Bool {
    schema.inputValues[definition.arguments.indices].contains {
      schema.spelling($0.name) == "level"
    }
  }

  /// Returns whether a definition of the schema has the arguments of the directive that is meant.
  private func hasMeaning(
    _ definition: Schema.DirectiveDefinition, of directive: NullabilityDirective
  ) -> Bool {
    let arguments = schema.inputValues[definition.arguments.indices]
    let names = Set(arguments.map { schema.spelling($0.name) })
    func offers(_ values: Set<String>, _ argument: String) -> Bool {
      guard
        let type = arguments.first(where: { schema.spelling($0.name) == argument })?.type,
        schema[type.namedType].kind == .enum
      else { return false }
      return values.isSubset(
        of: schema[type.namedType].enumValues.map { schema.spelling(schema[$0].name) })
    }
    return switch directive {
    case .semanticNonNull:
      names.isSubset(of: ["levels"]) && definition.locations.contains(.fieldDefinition)
    case .semanticNonNullField: names.isSubset(of: ["name", "levels"]) && names.contains("name")
    case .catching: offers(["RESULT", "NULL"], "to") && definition.locations.contains(.field)
    case .catchByDefault: offers(["RESULT", "NULL"], "to")
    case .throwOnFieldError: names.isEmpty
    case .required: offers(["THROW"], "action") && definition.locations.contains(.field)
    }
  }

  // MARK: - Arguments

  /// Returns the treatment that a directive asks for with `to:`, or `nil` if it is not written as
  /// one of the three values.
  package static func treatment(
    of directive: GraphQLSyntax.Directive, in document: Document
  ) -> CatchTreatment? {
    for argument in document[directive.arguments] where document.spelling(argument.name) == "to" {
      guard case .enum(let name) = argument.value.content else { return nil }
      return CatchTreatment(rawValue: document.spelling(name))
    }
    return .result
  }

  /// Returns the action of a `@required`, or `nil` if it is not written as one of the three values.
  package static func action(
    of directive: GraphQLSyntax.Directive, in document: Document
  ) -> RequiredAction? {
    for argument in document[directive.arguments]
    where document.spelling(argument.name) == "action" {
      guard case .enum(let name) = argument.value.content else { return nil }
      return RequiredAction(rawValue: document.spelling(name))
    }
    return nil
  }

  /// Returns the levels of a directive: `[0]` if it has none.
  package static func levels(
    of directive: GraphQLSyntax.Directive, in document: Document
  ) -> [Int] {
    for argument in document[directive.arguments] where document.spelling(argument.name) == "levels"
    {
      switch argument.value.content {
      case .list(let items):
        return document[items].compactMap { Int(document.text(of: $0.span)) }
      case .int: return [Int(document.text(of: argument.value.span))].compactMap { $0 }
      default: return []
      }
    }
    return [0]
  }

  // MARK: - Fields

  /// Returns the levels that the `@catch` of each field lists.
  package func caughtLevels(in document: Document) -> [GraphQLSyntax.Field.ID: [Int]] {
    guard document.directives.contains(where: { self[$0] == .catching }) else { return [:] }
    var levels: [GraphQLSyntax.Field.ID: [Int]] = [:]
    for (index, field) in document.fields.enumerated() {
      for directive in document[field.directives] where self[directive] == .catching {
        let id = GraphQLSyntax.Field.ID(rawValue: UInt32(index))
        levels[id, default: []] += Self.levels(of: directive, in: document)
      }
    }
    return levels
  }

  /// Returns the levels of a field whose values are null only because of an error.
  package func semanticLevels(
    of field: Schema.Field.ID, on type: Schema.NamedType.ID
  ) -> Set<Int> {
    var levels = Set(extendedLevels[type]?[schema.spelling(schema[field].name)] ?? [])
    for directive in schema.directives(of: field) where self[directive] == .semanticNonNull {
      levels.formUnion(Self.levels(of: directive, in: schema.document))
    }
    return levels
  }

  /// Returns the rules for the fields of an operation or a fragment.
  func rules(
    for directives: GraphQLSyntax.Directive.List, ofFragment isFragment: Bool, in document: Document
  ) -> DefinitionNullability {
    var rules = DefinitionNullability()
    rules.standard = schemaDefault
    for directive in document[directives] {
      switch self[directive] {
      case .catchByDefault: rules.standard = Self.treatment(of: directive, in: document)
      case .throwOnFieldError where isFragment: rules.standard = .throwing
      case .throwOnFieldError:
        rules.standard = nil
        rules.endsOperation = true
      default: continue
      }
    }
    return rules
  }

  /// Returns the treatment of a field's values, or `nil` if it is that without directives.
  ///
  /// - Parameters:
  ///   - field: The field's occurrences in the document, which agree.
  ///   - definition: The field in the schema.
  ///   - type: The type that it is selected on.
  ///   - rules: The rules of the operation or fragment.
  ///   - document: The document.
  /// - Returns: The treatment of each level.
  func nullability(
    of field: [GraphQLSyntax.Field.ID], _ definition: Schema.Field.ID, on type: Schema.NamedType.ID,
    _ rules: DefinitionNullability, in document: Document
  ) -> FieldNullability? {
    guard !directives.isEmpty else { return nil }
    var explicit: [Int: CatchTreatment] = [:]
    var required: RequiredAction?
    for directive in field.flatMap({ document[document[$0].directives] }) {
      switch self[directive] {
      case .catching:
        guard let treatment = Self.treatment(of: directive, in: document) else { continue }
        for level in Self.levels(of: directive, in: document) { explicit[level] = treatment }
      case .required: required = Self.action(of: directive, in: document)
      default: continue
      }
    }
    guard !explicit.isEmpty || required != nil || rules.standard != nil || rules.endsOperation
    else {
      return nil
    }
    let semantic = semanticLevels(of: definition, on: type)
    var result = FieldNullability(levels: [])
    if required != .throwing { result.requiredAction = required }
    var wrapping: TypeWrapping? = schema[definition].type.wrapping
    var level = 0
    while let current = wrapping {
      let isNonNull = current.isNonNull
      var treatment = explicit[level] ?? (isNonNull ? nil : rules.standard)
      var isPresent = isNonNull || semantic.contains(level)
      if required == .throwing, level == 0 { (treatment, isPresent) = (.throwing, true) }
      if treatment == .null { isPresent = false }
      if treatment == nil, !rules.endsOperation { isPresent = isNonNull }
      // A null makes the object with the property null.
      if result.requiredAction != nil, level == 0 { (treatment, isPresent) = (nil, true) }
      result.levels.append(
        .init(treatment: treatment, isNonNull: isPresent, isNonNullInSchema: isNonNull))
      if rules.endsOperation {
        if treatment != nil {
          result.caughtLevels.append(level)
        } else if isPresent, !isNonNull {
          result.certainLevels.append(level)
        }
      }
      wrapping = current.nullable.item
      level += 1
    }
    let isPlain = !result.isSpecial(from: 0) && result.caughtLevels.isEmpty
    return isPlain ? nil : result
  }
}

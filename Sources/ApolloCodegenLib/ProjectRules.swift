import ApolloIR
import GraphQLSyntax

/// What Swift forbids although GraphQL allows it. Everything is found before anything is written,
/// and reported where it is written in GraphQL, with the way out.
struct ProjectRules {
  private let renderer: Renderer
  private let structures: Structures
  private var diagnostics: [Diagnostic] = []

  private var program: Program { renderer.program }
  private var names: SwiftNames { renderer.names }

  static func diagnostics(_ renderer: Renderer) -> [Diagnostic] {
    var rules = ProjectRules(renderer)
    rules.checkTypeNames()
    for definition in renderer.program.definitions { rules.checkVariables(of: definition) }
    for set in renderer.program.selectionSets.indices {
      rules.checkMembers(of: ApolloIR.SelectionSet.ID(set))
    }
    rules.checkSchemaMembers()
    return rules.diagnostics
  }

  /// Operations that have no name, which lowering leaves out.
  static func anonymousOperations(in document: Document) -> [Diagnostic] {
    document.operations.filter { $0.name == nil }.map {
      Diagnostic(
        rule: "NamedOperations",
        message: "An operation without a name cannot become a type. Give it a name.",
        at: SourceSpan(at: $0.span.start))
    }
  }

  /// Directives that are known and have no effect in this version.
  static func ineffectiveDirectives(in document: Document) -> [Diagnostic] {
    document.directives.compactMap { directive in
      guard document.spelling(directive.name) == ClientDirective.deferred else { return nil }
      return Diagnostic(
        rule: "EffectiveDirectives", severity: .warning,
        message: "'@defer' is not sent by this version: the server answers everything at once.",
        at: directive.span)
    }
  }

  private init(_ renderer: Renderer) {
    self.renderer = renderer
    structures = Structures(of: renderer.program, renderer.names)
  }

  private mutating func report(
    _ rule: Diagnostic.Rule, _ message: String, at span: SourceSpan?, first: SourceSpan? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        rule: rule, message: message, at: span,
        notes: first.map { [.init("the other one is here", at: $0)] } ?? []))
  }

  // MARK: - Types of the module

  private enum TypeOrigin {
    case definition(SourceSpan)
    case schema(String)

    var span: SourceSpan? { if case .definition(let span) = self { span } else { nil } }
  }

  /// Definitions, enums, input objects and scalars share one scope; so do their files on a disk
  /// that ignores letter case.
  private mutating func checkTypeNames() {
    var taken: [String: TypeOrigin] = [:]
    let types = program.types
    let schemaTypes =
      types.enums.map { ($0.name, names.schemaType($0.name, .enum)) }
      + types.inputObjects.map { ($0.name, names.schemaType($0.name, .inputObject)) }
      + types.scalars.map { ($0.name, names.schemaType($0.name, .scalar)) }
    for (name, swiftName) in schemaTypes {
      checkNamespace(swiftName, "The schema's type '\(name)'", at: nil)
      if let other = taken.updateValue(.schema(name), forKey: swiftName.lowercased()),
        case .schema(let otherName) = other
      {
        report(
          "UniqueSwiftTypes",
          "The schema's types '\(otherName)' and '\(name)' would both be called '\(swiftName)'. "
            + "Rename one with 'options.schemaCustomization.customTypeNames'.", at: nil)
      }
    }
    for definition in program.definitions {
      let swiftName = names.definition(definition)
      checkNamespace(swiftName, "'\(definition.name)'", at: definition.span)
      guard
        let other = taken.updateValue(.definition(definition.span), forKey: swiftName.lowercased())
      else { continue }
      let what =
        if case .schema(let name) = other { "the schema's type '\(name)'" } else {
          "another definition"
        }
      report(
        "UniqueSwiftTypes",
        "'\(definition.name)' would be called '\(swiftName)' in Swift, like \(what). Rename it.",
        at: definition.span, first: other.span)
    }
  }

  private mutating func checkNamespace(_ name: String, _ what: String, at span: SourceSpan?) {
    guard name == renderer.layout.namespace else { return }
    report(
      "NamespaceNotHidden",
      "\(what) would have the name of the namespace '\(name)' and hide it. "
        + "Rename it, or choose another 'schemaNamespace'.", at: span)
  }

  // MARK: - Variables

  private mutating func checkVariables(of definition: ApolloIR.Definition) {
    var taken: [String: SourceSpan] = [:]
    for variable in definition.variables {
      let name = names.variable(variable.name)
      if Self.isDisallowedInput(name, renderer.layout.namespace) {
        report(
          "AllowedNames", "A variable cannot be called '\(variable.name)' in Swift. Rename it.",
          at: variable.span)
      }
      if let first = taken.updateValue(variable.span, forKey: name) {
        report(
          "UniqueSwiftMembers",
          "Two variables would be called '\(name)' in Swift. Rename one.", at: variable.span,
          first: first)
      }
    }
  }

  private static func isDisallowedInput(_ name: String, _ namespace: String) -> Bool {
    name == "self" || name == Casing.loweringFirstLetter(namespace)
  }

  // MARK: - Members of models

  private static let disallowedKeys: Set<String> = ["__object", "__layout", "fragments"]

  private mutating func checkMembers(of id: ApolloIR.SelectionSet.ID) {
    let set = program[id]
    var properties: [String: SourceSpan] = [:]
    for field in set.ownFields {
      let name = names.unescapedProperty(field.responseKey)
      if Self.disallowedKeys.contains(name) || name == "self" || name == "init" {
        report(
          "AllowedNames",
          "A field cannot be read as '\(name)' in Swift. Use an alias: 'other: \(field.name)'.",
          at: field.span)
      }
      if let first = properties.updateValue(field.span, forKey: name) {
        report(
          "UniqueSwiftMembers",
          "Two fields would be read as '\(name)' in Swift. Give one an alias.", at: field.span,
          first: first)
      }
    }
    checkStructures(in: id)
    for merged in set.mergedFields {
      let name = names.unescapedProperty(merged.field.responseKey)
      guard let first = properties.updateValue(merged.field.span, forKey: name) else { continue }
      report(
        "UniqueSwiftMembers",
        "Two fields would be read as '\(name)' in Swift, one of them through a fragment. "
          + "Give one an alias.",
        at: merged.field.span, first: first)
    }
  }

  private mutating func checkStructures(in id: ApolloIR.SelectionSet.ID) {
    var taken: [String: ApolloIR.SelectionSet.ID] = [:]
    for child in structures.children(of: id) {
      let name = structures.name(of: child)
      if name == renderer.layout.namespace {
        checkNamespace(name, "The struct of this field", at: span(of: child, in: id))
      }
      guard let first = taken.updateValue(child, forKey: name) else { continue }
      report(
        "UniqueSwiftTypes",
        "Two fields would both have objects of type '\(name)' in Swift. Give one an alias.",
        at: span(of: child, in: id), first: span(of: first, in: id))
    }
  }

  private func span(of child: ApolloIR.SelectionSet.ID, in id: ApolloIR.SelectionSet.ID)
    -> SourceSpan?
  {
    for case .field(let field) in program[id].selections where field.child == child {
      return field.span
    }
    return nil
  }

  // MARK: - Members of schema types

  private mutating func checkSchemaMembers() {
    for type in program.types.enums {
      checkUnique(
        type.values.map { ($0.name, names.enumCase($0.name, of: type.name)) }, in: type.name)
    }
    for type in program.types.inputObjects {
      let members = type.fields.map { ($0.name, names.inputField($0.name, of: type.name)) }
      checkUnique(members, in: type.name)
      for (name, swiftName) in members
      where Self.isDisallowedInput(swiftName, renderer.layout.namespace) {
        report(
          "AllowedNames",
          "The field '\(type.name).\(name)' cannot be called '\(swiftName)' in Swift. "
            + "Rename it with 'options.schemaCustomization.customTypeNames'.", at: nil)
      }
    }
  }

  private mutating func checkUnique(_ members: [(name: String, swiftName: String)], in type: String)
  {
    var taken: [String: String] = [:]
    for (name, swiftName) in members {
      guard let first = taken.updateValue(name, forKey: swiftName) else { continue }
      report(
        "UniqueSwiftMembers",
        "'\(type).\(first)' and '\(type).\(name)' would both be called '\(swiftName)' in Swift. "
          + "Rename one with 'options.schemaCustomization.customTypeNames', or use another "
          + "'options.conversionStrategies'.", at: nil)
    }
  }
}

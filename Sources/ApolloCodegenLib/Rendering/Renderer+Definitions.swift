import ApolloHashing
import ApolloIR
import SwiftSource

extension Renderer {
  /// Renders the file of an operation.
  ///
  /// - Parameters:
  ///   - definition: The operation.
  ///   - isInSchemaModule: `true` if the file belongs to the module of the schema's types, which it
  ///     does not import then.
  /// - Returns: The file.
  func operationFile(_ definition: Definition, isInSchemaModule: Bool) -> SourceFile {
    let literal = literal(of: definition, defaultsOf: definition.variables)
    let name = names.definition(definition)
    let scope = definitionScope.entering(name, nested: ReservedSwiftNames.operationTypes)
    let models = SelectionSetRenderer(
      renderer: self, literal: literal, definition: definition)
    let members =
      operationStatics(definition, in: scope) + variables(of: definition, in: scope)
      + [selections(literal, definition, in: scope), models.structure(definition.root, in: scope)]
    let kind =
      switch definition.kind {
      case _ where definition.isLocalCacheMutation: "LocalCacheMutation"
      case .query, .fragment: "GraphQLQuery"
      case .mutation: "GraphQLMutation"
      case .subscription: "GraphQLSubscription"
      }
    let declaration = Declaration(
      .group(Group("struct", name, inherits: [kind], members: members)),
      documentation: documentation(definition.description),
      modifiers: layout.typeModifiers(layout.operationModifiers))
    return definitionFile(
      definition, declaration, models.extensions(in: definitionScope),
      isInSchemaModule: isInSchemaModule)
  }

  /// Renders the file of a named fragment.
  ///
  /// - Parameters:
  ///   - definition: The fragment.
  ///   - id: Its identity in the program.
  ///   - isInSchemaModule: `true` if the file belongs to the module of the schema's types, which it
  ///     does not import then.
  /// - Returns: The file.
  func fragmentFile(
    _ definition: Definition, _ id: Definition.ID, isInSchemaModule: Bool
  ) -> SourceFile {
    let literal = literal(
      of: definition, defaultsOf: program.variableDefaults(ofFragment: id))
    let name = names.definition(definition)
    let scope = definitionScope.entering(name, nested: structures.childNames(of: definition.root))
    let models = SelectionSetRenderer(
      renderer: self, literal: literal, definition: definition)
    let set = program[definition.root]
    // Operations that send only their identifier do not need the text.
    let text = Declaration(
      .property(
        Property(
          "fragmentDefinition", type: "String",
          [isTextSent ? SwiftString.raw(definition.text) : "\"\""])),
      modifiers: emittedWhereUsed(layout.operationModifiers) + ["static"])
    let inherits =
      ["\(layout.namespace).\(definition.isMutable ? "Mutable" : "")SelectionSet", "Fragment"]
      + (isIdentifiable(definition.root) ? ["Identifiable"] : [])
    let declaration = Declaration(
      .group(
        Group(
          "struct", name, inherits: inherits,
          members: [text, selections(literal, definition, in: scope)]
            + models.members(of: definition.root, in: scope))),
      documentation: documentation(definition.description),
      attributes: models.attributes(of: set),
      modifiers: layout.typeModifiers(layout.operationModifiers))
    return definitionFile(
      definition, declaration, models.extensions(in: definitionScope),
      isInSchemaModule: isInSchemaModule)
  }

  /// The scope around the declarations of definitions.
  private var definitionScope: Scope {
    Scope(isOutsideOfSchema: !layout.operationsAreInSchemaModule)
  }

  private func definitionFile(
    _ definition: Definition, _ declaration: Declaration, _ extensions: [Declaration],
    isInSchemaModule: Bool
  ) -> SourceFile {
    let schema = isInSchemaModule ? [] : [layout.schemaModule]
    let imports = ["ApolloAPI"] + schema + definition.importedModules
    var file = file(
      [declaration], imports: imports, isNested: layout.definitionsAreNested,
      isPublic: layout.operationAccess == .public)
    file.declarations += extensions
    file.imports += importsOfFragments(of: definition, besides: imports)
    return file
  }

  // MARK: - Statics

  private func operationStatics(_ definition: Definition, in scope: Scope) -> [Declaration] {
    let access = emittedWhereUsed(layout.operationModifiers) + ["static"]
    if definition.isLocalCacheMutation {
      let type = Property(
        "operationType", type: "ApolloAPI.GraphQLOperationType",
        .computedOnOneLine(".\(definition.kind)"))
      return [Declaration(.property(type), modifiers: access)]
    }
    let format = Declaration(
      .typeAlias(name: "ResponseFormat", target: "ApolloAPI.IncrementalDeferredResponseFormat"),
      modifiers: layout.operationModifiers)
    return (mayHaveSeveralParts(definition) ? [format] : []) + [
      Declaration(
        .property(
          Property(
            "operationName", type: "String",
            .computedOnOneLine(SwiftString.escaped(definition.name)))),
        modifiers: access),
      Declaration(
        .property(
          Property(
            "operationDocument", type: "ApolloAPI.OperationDocument",
            .computedOnOneLine(operationDocument(definition, in: scope).flat))),
        // A module that is only needed in the list of fragments is not imported by the clients that
        // would compile the property.
        modifiers: definition.modulesOfFragments.isEmpty
          ? access : layout.operationModifiers + ["static"]),
    ]
  }

  /// `true` if requests have the texts of their operations.
  private var isTextSent: Bool { options.operationDocumentFormat.contains(.definition) }

  /// Returns `true` if the client must know that the response may arrive in parts.
  ///
  /// It finds `@stream` in the text of an operation. Of one that is sent without its text, only the
  /// generated format can say so.
  private func mayHaveSeveralParts(_ definition: Definition) -> Bool {
    definition.isDeferred || !isTextSent && documentText(of: definition).hasStreamDirective
  }

  private func operationDocument(_ definition: Definition, in scope: Scope) -> Expression {
    var arguments: [Expression.Argument] = []
    if options.operationDocumentFormat.contains(.operationIdentifier) {
      arguments.append(.init("operationIdentifier", .string(operationIdentifier(of: definition))))
    }
    if options.operationDocumentFormat.contains(.definition) {
      var document: [Expression.Argument] = [.init(nil, .rawString(definition.text))]
      if !definition.fragments.isEmpty {
        document.append(.init("fragments", metatypes(of: definition.fragments, in: scope)))
      }
      arguments.append(.init("definition", .call(".init", document)))
    }
    return .call(".init", arguments)
  }

  /// Returns the identifier that the user's provider computes, or the hash of the text that is
  /// sent.
  func operationIdentifier(of definition: Definition) -> String {
    let text = documentText(of: definition)
    guard let identify else { return SHA256.hexadecimalHash(of: text) }
    let kind: OperationDescriptor.Kind =
      switch definition.kind {
      case .query, .fragment: .query
      case .mutation: .mutation
      case .subscription: .subscription
      }
    return identify(OperationDescriptor(name: definition.name, kind: kind, document: text))
  }

  /// Returns the text that is sent: the operation, then its fragments sorted by name.
  func documentText(of definition: Definition) -> String {
    program.documentText(of: definition)
  }

  private func metatypes(of fragments: [Definition.ID], in scope: Scope) -> Expression {
    .array(
      fragments.map { id in
        let name = names.definition(program[id])
        return .code((scope.reference(to: [name]) ?? "\(layout.namespace).\(name)") + ".self")
      })
  }

  private func literal(
    of definition: Definition, defaultsOf variables: [Variable]
  ) -> SelectionLiteral {
    SelectionLiteral(definition, in: program, defaultsOf: variables) {
      names.schemaType($0.name, .scalar)
    }
  }

  private func selections(
    _ literal: SelectionLiteral, _ definition: Definition, in scope: Scope
  ) -> Declaration {
    var arguments: [Expression.Argument] = [.init(nil, .rawString(literal.text))]
    if !definition.spreadFragments.isEmpty {
      arguments.append(.init("fragments", metatypes(of: definition.spreadFragments, in: scope)))
    }
    if !literal.leaves.isEmpty {
      let leaves = literal.leaves.map { Expression.code(leafType($0, in: scope) + ".self") }
      arguments.append(.init("leaves", .array(leaves)))
    }
    return Declaration(
      .property(
        Property(
          "__selections", type: nil, .let(.call("ApolloAPI.GeneratedCode.Selections", arguments)))),
      modifiers: layout.operationModifiers + ["static"])
  }

  // MARK: - Variables

  private func variables(of definition: Definition, in scope: Scope) -> [Declaration] {
    let access = layout.operationModifiers
    let variables = definition.variables.map { variable in
      let value = defaultValue(of: variable, in: scope)
      // If the argument is omitted, the server uses the default, which cannot be expressed in
      // Swift.
      let isOptional = variable.type.isNonNull && variable.defaultValue != nil && value == nil
      let type = inputType(variable.type, in: scope) + (isOptional ? "?" : "")
      return (
        name: names.variable(variable.name, of: definition), type: type,
        value: isOptional ? .code("nil") : value, variable
      )
    }
    let isWide = isWide(variables.count)
    let properties = variables.enumerated().map { position, variable in
      Declaration(
        .property(
          Property(
            Identifier.escaped(variable.name), type: variable.type,
            isWide ? storedValue(position) : .var(nil))),
        modifiers: isWide ? emittedWhereUsed(access) : access)
    }
    let initializer = Declaration(
      .function(
        Function(
          "init",
          variables.map { name, type, value, _ in
            Parameter(Identifier.escaped(name), type: type, value: value)
          },
          body: isWide
            ? [storeValues(variables.map { Identifier.escaped($0.name) })]
            : variables.map { name, _, _, _ in
              "self.\(Identifier.escaped(name)) = \(Identifier.escaped(name))"
            })), modifiers: isWide ? emittedWhereUsed(access) : access)
    // Within its module, a struct without properties has this initializer implicitly.
    guard !variables.isEmpty else { return access.isEmpty ? [] : [initializer] }
    let values = variables.map { name, _, _, variable in
      Expression.Entry(.string(variable.name), .code(Identifier.escaped(name)))
    }
    let dictionary = Declaration(
      .property(
        Property(
          "__variables", type: "ApolloAPI.Variables?",
          [isWide ? "__values.fields" : Expression.dictionary(values).flat])),
      modifiers: emittedWhereUsed(access))
    let storage =
      isWide
      ? [nameList(definition.variables.map(\.name), access: access), valueStorage(access: access)]
      : []
    return storage + properties + [initializer, dictionary]
  }

  /// Returns the default of a variable's parameter.
  ///
  /// A nullable variable can always be omitted. The server then uses the default of the document,
  /// so a default that cannot be expressed in Swift is not repeated here.
  private func defaultValue(of variable: Variable, in scope: Scope) -> Expression? {
    if let value = variable.defaultValue,
      let expression = swiftLiteral(value, variable.type, in: scope)
    {
      return .code(expression)
    }
    return variable.type.isNonNull ? nil : .code("nil")
  }
}

extension String {
  /// `true` if the text of an operation has the directive `@stream`. One in a string counts too: it
  /// only lets the server choose.
  fileprivate var hasStreamDirective: Bool {
    split(separator: "@", omittingEmptySubsequences: false).dropFirst().contains { piece in
      piece.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) } == "stream"
    }
  }
}

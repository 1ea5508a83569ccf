/// The modules of declarations, their access levels, and the qualification of their names.
struct ModuleLayout {
  /// The schema's namespace, or the name of its module.
  let namespace: String
  /// `true` if the schema's types are nested in `enum <Namespace>`.
  let isEmbedded: Bool
  /// `true` if operations and fragments are in the schema's module.
  let operationsAreInSchemaModule: Bool
  let schemaAccess: ApolloCodegenConfiguration.AccessModifier
  let operationAccess: ApolloCodegenConfiguration.AccessModifier
  let isNonisolated: Bool
  /// The target that holds an embedded schema, or `nil` if the schema is a module of its own.
  let embeddingTarget: String?

  init(_ configuration: ApolloCodegenConfiguration) {
    namespace = Casing.capitalizingFirstLetter(configuration.schemaNamespace)
    let isPackage: Bool
    switch configuration.output.schemaTypes.moduleType {
    case .embeddedInTarget(let name, let access):
      (isEmbedded, schemaAccess, isPackage, embeddingTarget) = (true, access, false, name)
    case .swiftPackage:
      (isEmbedded, schemaAccess, isPackage, embeddingTarget) = (false, .public, true, nil)
    case .other:
      (isEmbedded, schemaAccess, isPackage, embeddingTarget) = (false, .public, false, nil)
    }
    switch configuration.output.operations {
    case .inSchemaModule:
      operationsAreInSchemaModule = true
      operationAccess = schemaAccess
    case .relative(_, let access), .absolute(_, let access):
      operationsAreInSchemaModule = false
      operationAccess = isEmbedded && schemaAccess == .internal ? .internal : access
    }
    isNonisolated = configuration.options.markTypesNonisolated ?? !isPackage
  }

  /// `true` if `<Namespace>.` in front of a definition's name refers to it where the name alone is
  /// hidden.
  var canQualifyDefinitions: Bool { operationsAreInSchemaModule }

  /// `true` if operations and fragments are nested in `enum <Namespace>`.
  ///
  /// Those outside of the schema's module are at the top of their own module.
  var definitionsAreNested: Bool { isEmbedded && operationsAreInSchemaModule }

  /// The module that holds the schema's types.
  ///
  /// The name of a target need not be a valid module name: `My App` becomes `My_App`.
  var schemaModule: String {
    guard let target = embeddingTarget else { return namespace }
    let letters = target.unicodeScalars.map { scalar in
      scalar.properties.isXIDContinue ? Character(scalar) : "_"
    }
    let startsWithDigit = target.unicodeScalars.first?.properties.numericType != nil
    return startsWithDigit ? "_" + String(letters.dropFirst()) : String(letters)
  }

  var schemaModifiers: [String] { schemaAccess == .public ? ["public"] : [] }
  var operationModifiers: [String] { operationAccess == .public ? ["public"] : [] }

  /// Returns the modifiers of a `struct`, `enum` or `protocol`.
  func typeModifiers(_ access: [String]) -> [String] {
    isNonisolated ? access + ["nonisolated"] : access
  }
}

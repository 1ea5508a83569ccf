/// Where declarations live: the module, its access level, and how to name one thing from another.
struct ModuleLayout {
  /// The schema's namespace, or the name of its module.
  let namespace: String
  /// Whether the schema's types are nested in `enum <Namespace>`.
  let isEmbedded: Bool
  /// Whether operations and fragments are in the schema's module.
  let operationsAreInSchemaModule: Bool
  let schemaAccess: ApolloCodegenConfiguration.AccessModifier
  let operationAccess: ApolloCodegenConfiguration.AccessModifier
  let isNonisolated: Bool
  /// The target that holds the schema when it is embedded in one that others import.
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

  /// Whether `<Namespace>.` in front of a definition's name means it where the name alone means something else.
  var canQualifyDefinitions: Bool { operationsAreInSchemaModule }

  /// Whether operations and fragments are nested in `enum <Namespace>`. Those that are not with the schema stand at the top of
  /// their module, whichever that is.
  var definitionsAreNested: Bool { isEmbedded && operationsAreInSchemaModule }

  /// The module that the schema's types are in. A target may have a name that no module can have: `My App` makes `My_App`.
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

  /// What stands before `struct`, `enum` or `protocol`.
  func typeModifiers(_ access: [String]) -> [String] {
    isNonisolated ? access + ["nonisolated"] : access
  }
}

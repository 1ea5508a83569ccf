import ApolloIR
import SwiftSource

/// Every rule that turns a name of GraphQL into a name of Swift, as the configuration asks.
struct SwiftNames {
  private let options: ApolloCodegenConfiguration.Options
  private let inflector: Inflector

  init(_ options: ApolloCodegenConfiguration.Options) throws(Inflector.InvalidRegex) {
    self.options = options
    inflector = try Inflector(options.additionalInflectionRules)
  }

  // MARK: - Types

  enum SchemaTypeKind: String {
    case object = "_Object"
    case interface = "_Interface"
    case union = "_Union"
    case `enum` = "_Enum"
    case inputObject = "_InputObject"
    case scalar = "_Scalar"
  }

  func schemaType(_ name: String, _ kind: SchemaTypeKind) -> String {
    if let custom = options.customTypeNames[name]?.name { return custom }
    return suffixed(Casing.capitalizingFirstLetter(name), kind.rawValue)
  }

  /// The name of an operation's or fragment's type.
  func definition(_ definition: Definition) -> String {
    let name = Casing.capitalizingFirstLetter(definition.name)
    let suffix =
      switch definition.kind {
      case .fragment: ""
      case _ where definition.isLocalCacheMutation: "LocalCacheMutation"
      case .query: "Query"
      case .mutation: "Mutation"
      case .subscription: "Subscription"
      }
    if definition.kind == .fragment { return suffixed(name, "_Fragment") }
    return name.hasSuffix(suffix) ? name : name + suffix
  }

  /// The type whose mocks stand for objects of an object type.
  func mock(_ type: String) -> String {
    let name = schemaType(type, .object)
    return Self.mockingTypeNames.contains(name) ? name + SchemaTypeKind.object.rawValue : name
  }

  /// Types that generated mocks mention.
  private static let mockingTypeNames: Set<String> = [
    "AnyMock", "ApolloTestSupport", "Mock", "MockField", "MockObject",
  ]

  /// The struct for the objects of a field; the singular for lists.
  func structure(forResponseKey key: String, isList: Bool) -> String {
    let property = unescapedProperty(key)
    let name = isList ? inflector.singular(of: property) : property
    return suffixed(Casing.capitalizingFirstLetter(name), "_SelectionSet")
  }

  /// `AsDroid`, `IfDetailed`, `AsDroidIfDetailedAndNotSecret`.
  func structure(forTypeCase type: String?, conditions: [Condition]) -> String {
    let parts = conditions.map { condition in
      switch condition {
      case .include(let variable): Casing.capitalizingFirstLetter(variable)
      case .skip(let variable): "Not" + Casing.capitalizingFirstLetter(variable)
      case .defer(let label, _): "Deferred" + Casing.capitalizingFirstLetter(label)
      }
    }
    let typePart = type.map { "As" + Casing.capitalizingFirstLetter($0) } ?? ""
    return typePart + (parts.isEmpty ? "" : "If" + parts.joined(separator: "And"))
  }

  private func suffixed(_ name: String, _ suffix: String) -> String {
    Self.reservedTypeNames.contains(name) ? name + suffix : name
  }

  /// Types that generated code mentions, and words that cannot name a nested type.
  private static let reservedTypeNames: Set<String> = [
    "Any", "ApolloAPI", "Array", "Bool", "DocumentType", "Double", "Error", "Float", "Fragment",
    "FragmentContainer", "Fragments", "GraphQLEnum", "GraphQLNullable", "ID", "InlineFragment",
    "InputFields", "InputObject", "Int", "Int32", "Interface", "Object", "OperationDocument",
    "Optional", "ParentType", "Protocol", "ResponseObject", "RootEntityType", "Schema",
    "SchemaConfiguration", "SchemaMetadata", "Selection", "SelectionSet", "Selections", "Self",
    "String", "Swift", "Type", "Union", "Variables", "_",
  ]

  // MARK: - Members

  /// A lone underscore is a name in GraphQL, and in Swift not even in back ticks.
  private static func sayable(_ name: String) -> String { name == "_" ? "__" : name }

  /// A property that reads a field, without back ticks.
  func unescapedProperty(_ responseKey: String) -> String {
    switch options.conversionStrategies.fieldAccessors {
    case .idiomatic: Self.sayable(Casing.idiomatic(responseKey))
    case .camelCase: Self.sayable(Casing.camelCase(responseKey))
    }
  }

  func property(_ responseKey: String) -> String {
    Identifier.escaped(unescapedProperty(responseKey))
  }

  func enumCase(_ value: String, of type: String) -> String {
    if let custom = options.customTypeNames[type]?.members[value] {
      return Identifier.escaped(custom)
    }
    let name =
      options.conversionStrategies.enumCases == .camelCase ? Casing.camelCase(value) : value
    return Identifier.escaped(Self.sayable(name))
  }

  /// An input field, without back ticks.
  func inputField(_ field: String, of type: String) -> String {
    if let custom = options.customTypeNames[type]?.members[field] { return custom }
    return variable(field)
  }

  /// A variable, without back ticks.
  func variable(_ name: String) -> String {
    Self.sayable(
      options.conversionStrategies.inputObjects == .camelCase ? Casing.camelCase(name) : name)
  }

  /// The property that converts to a fragment or type case.
  func conversion(toType name: String) -> String {
    Identifier.escaped(Casing.loweringFirstLetter(name))
  }
}

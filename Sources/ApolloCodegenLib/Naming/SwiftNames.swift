import ApolloIR
import GraphQLSyntax
import SwiftSource

/// The Swift names of everything that has a GraphQL name, unique in their scopes.
///
/// Most names follow from their spelling; ``NameConversions`` computes them. Only names that had to
/// change because two in one scope would be equal are stored. They are determined once.
struct SwiftNames {
  enum SchemaTypeKind: String {
    case object = "_Object"
    case interface = "_Interface"
    case union = "_Union"
    case `enum` = "_Enum"
    case inputObject = "_InputObject"
    case scalar = "_Scalar"

    /// The ending that keeps the files of types of different kinds apart.
    var fileSuffix: String {
      switch self {
      case .object: ".object"
      case .interface: ".interface"
      case .union: ".union"
      case .enum: ".enum"
      case .inputObject: ".inputObject"
      case .scalar: ".scalar"
      }
    }
  }

  let conversions: NameConversions
  let customNames: [String: ApolloCodegenConfiguration.CustomTypeName]
  /// The namespace that qualifies names.
  let namespace: String

  // Names that differ from the result of their conversion.
  private var schemaTypes: [SchemaType: String] = [:]
  private var definitions: [DefinitionKey: String] = [:]
  private var members: [Member: String] = [:]
  private var variables: [Member: String] = [:]
  private var properties: [ApolloIR.SelectionSet.ID: [String: String]] = [:]
  private var caseProperties: [ApolloIR.SelectionSet.ID: [ApolloIR.SelectionSet.ID: String]] = [:]

  /// Warnings about names that are not the expected ones, and errors about names of the
  /// configuration that are taken.
  private(set) var diagnostics: [Diagnostic] = []

  private struct SchemaType: Hashable {
    var name: String
    var kind: SchemaTypeKind
  }

  /// Operations share one scope of names, fragments another.
  private struct DefinitionKey: Hashable {
    var name: String
    var isFragment: Bool
  }

  private struct Member: Hashable {
    var owner: String
    var name: String
  }

  init(
    _ options: ApolloCodegenConfiguration.Options, namespace: String
  ) throws(InvalidRegex) {
    self.namespace = namespace
    conversions = try NameConversions(options)
    customNames = options.customTypeNames
  }

  // MARK: - Types

  func schemaType(_ name: String, _ kind: SchemaTypeKind) -> String {
    schemaTypes[SchemaType(name: name, kind: kind)] ?? customNames[name]?.name
      ?? Casing.capitalizingFirstLetter(name)
  }

  /// Returns the name of an operation's or fragment's type.
  func definition(_ definition: ApolloIR.Definition) -> String {
    definitions[Self.key(of: definition)] ?? conversions.definition(definition)
  }

  /// Returns the type whose mocks represent objects of an object type.
  func mock(_ type: String) -> String {
    let name = schemaType(type, .object)
    let isTaken = ReservedSwiftNames.mocks.contains(name)
    return isTaken ? name + SchemaTypeKind.object.rawValue : name
  }

  private static func key(of definition: ApolloIR.Definition) -> DefinitionKey {
    DefinitionKey(name: definition.name, isFragment: definition.kind == .fragment)
  }

  // MARK: - Members

  /// Returns the property of the model of `set` that reads a field, without back ticks.
  func unescapedProperty(_ responseKey: String, in set: ApolloIR.SelectionSet.ID) -> String {
    properties[set]?[responseKey] ?? conversions.property(responseKey)
  }

  /// Returns the property of the model of `set` that reads a field.
  func property(_ responseKey: String, in set: ApolloIR.SelectionSet.ID) -> String {
    Identifier.escaped(unescapedProperty(responseKey, in: set))
  }

  /// Returns the property of the model of `set` that converts it to one of its type cases, whose
  /// struct is `structure`.
  func property(
    forTypeCase child: ApolloIR.SelectionSet.ID, _ structure: String,
    in set: ApolloIR.SelectionSet.ID
  ) -> String {
    caseProperties[set]?[child] ?? conversion(toType: structure)
  }

  /// Returns the property that converts to a fragment.
  func conversion(toType name: String) -> String {
    Identifier.escaped(Casing.loweringFirstLetter(name))
  }

  func enumCase(_ value: String, of type: String) -> String {
    Identifier.escaped(
      members[Member(owner: type, name: value)] ?? customNames[type]?.members[value]
        ?? conversions.enumCase(value))
  }

  /// Returns the property of an input field, without back ticks.
  func inputField(_ field: String, of type: String) -> String {
    members[Member(owner: type, name: field)] ?? customNames[type]?.members[field]
      ?? conversions.input(field)
  }

  /// Returns the property of a variable, without back ticks.
  func variable(_ name: String, of definition: ApolloIR.Definition) -> String {
    variables[Member(owner: definition.name, name: name)] ?? conversions.input(name)
  }
}

// MARK: - What is called something else

extension SwiftNames {
  /// The advice for a name that was not chosen by the user.
  enum Remedy: String {
    case type = "Choose names with 'options.schemaCustomization.customTypeNames'."
    case definition = "Rename one of the two."
    case variable = "Rename one of the variables."
    case field = "Choose another name with an alias."
  }

  mutating func setSchemaType(_ swiftName: String, _ name: String, _ kind: SchemaTypeKind) {
    schemaTypes[SchemaType(name: name, kind: kind)] = swiftName
  }

  mutating func setDefinition(_ swiftName: String, _ definition: ApolloIR.Definition) {
    definitions[Self.key(of: definition)] = swiftName
  }

  mutating func setMember(_ swiftName: String, _ name: String, of type: String) {
    members[Member(owner: type, name: name)] = swiftName
  }

  mutating func setVariable(_ swiftName: String, _ name: String, of definition: ApolloIR.Definition)
  {
    variables[Member(owner: definition.name, name: name)] = swiftName
  }

  mutating func setProperty(
    _ swiftName: String, _ responseKey: String, in set: ApolloIR.SelectionSet.ID
  ) {
    properties[set, default: [:]][responseKey] = swiftName
  }

  mutating func setCaseProperty(
    _ swiftName: String, _ child: ApolloIR.SelectionSet.ID, in set: ApolloIR.SelectionSet.ID
  ) {
    caseProperties[set, default: [:]][child] = swiftName
  }

  mutating func warn(
    _ what: String, _ name: String, insteadOf wish: String, _ remedy: Remedy, at span: SourceSpan?
  ) {
    diagnostics.append(
      Diagnostic(
        rule: "UniqueSwiftNames", severity: .warning,
        message: "\(what) is called '\(name)' in Swift, because '\(wish)' is taken. "
          + remedy.rawValue, at: span))
  }

  mutating func reportCustomName(_ custom: String, _ what: String, at span: SourceSpan?) {
    diagnostics.append(
      Diagnostic(
        rule: "UniqueSwiftNames",
        message: "The configuration calls \(what) '\(custom)', but that name is taken. "
          + "Choose another one in 'options.schemaCustomization.customTypeNames'.", at: span))
  }
}

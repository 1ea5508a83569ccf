import ApolloIR
import GraphQLSyntax
import SwiftSource

/// The names of Swift for everything that has a name of GraphQL, each of its own.
///
/// Most names only follow from how they are spelled, which is the business of ``NameConversions``. Where two in one scope would
/// be the same, one of them, or both, are called something else; this is found out once, and only such names are remembered.
struct SwiftNames {
  enum SchemaTypeKind: String {
    case object = "_Object"
    case interface = "_Interface"
    case union = "_Union"
    case `enum` = "_Enum"
    case inputObject = "_InputObject"
    case scalar = "_Scalar"
  }

  let conversions: NameConversions
  let customNames: [String: ApolloCodegenConfiguration.CustomTypeName]
  /// What is in front of names that are said in full.
  let namespace: String

  // What is not called what it would be called alone.
  private var schemaTypes: [SchemaType: String] = [:]
  private var definitions: [DefinitionKey: String] = [:]
  private var members: [Member: String] = [:]
  private var variables: [Member: String] = [:]
  private var properties: [ApolloIR.SelectionSet.ID: [String: String]] = [:]
  private var caseProperties: [ApolloIR.SelectionSet.ID: [ApolloIR.SelectionSet.ID: String]] = [:]

  /// Names that somebody may look for in vain, as warnings, and names of the configuration that cannot be had, as errors.
  private(set) var diagnostics: [Diagnostic] = []

  private struct SchemaType: Hashable {
    var name: String
    var kind: SchemaTypeKind
  }

  /// Operations share one scope of names, fragments another one.
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

  /// The name of an operation's or fragment's type.
  func definition(_ definition: ApolloIR.Definition) -> String {
    definitions[Self.key(of: definition)] ?? conversions.definition(definition)
  }

  /// The type whose mocks stand for objects of an object type.
  func mock(_ type: String) -> String {
    let name = schemaType(type, .object)
    let isTaken = ReservedNames.mocks.contains(name)
    return isTaken ? name + SchemaTypeKind.object.rawValue : name
  }

  private static func key(of definition: ApolloIR.Definition) -> DefinitionKey {
    DefinitionKey(name: definition.name, isFragment: definition.kind == .fragment)
  }

  // MARK: - Members

  /// A property of the model of `set` that reads a field, without back ticks.
  func unescapedProperty(_ responseKey: String, in set: ApolloIR.SelectionSet.ID) -> String {
    properties[set]?[responseKey] ?? conversions.property(responseKey)
  }

  /// A property of the model of `set` that reads a field.
  func property(_ responseKey: String, in set: ApolloIR.SelectionSet.ID) -> String {
    Identifier.escaped(unescapedProperty(responseKey, in: set))
  }

  /// The property of the model of `set` that looks at the object as one of its type cases, whose struct is called `structure`.
  func property(
    forTypeCase child: ApolloIR.SelectionSet.ID, _ structure: String,
    in set: ApolloIR.SelectionSet.ID
  ) -> String {
    caseProperties[set]?[child] ?? conversion(toType: structure)
  }

  /// The property that converts to a fragment.
  func conversion(toType name: String) -> String {
    Identifier.escaped(Casing.loweringFirstLetter(name))
  }

  func enumCase(_ value: String, of type: String) -> String {
    Identifier.escaped(
      members[Member(owner: type, name: value)] ?? customNames[type]?.members[value]
        ?? conversions.enumCase(value))
  }

  /// An input field, without back ticks.
  func inputField(_ field: String, of type: String) -> String {
    members[Member(owner: type, name: field)] ?? customNames[type]?.members[field]
      ?? conversions.input(field)
  }

  /// A variable, without back ticks.
  func variable(_ name: String, of definition: ApolloIR.Definition) -> String {
    variables[Member(owner: definition.name, name: name)] ?? conversions.input(name)
  }
}

// MARK: - What is called something else

extension SwiftNames {
  /// What can be done about a name that was not chosen by anybody.
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

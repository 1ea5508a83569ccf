import ApolloIR
import SwiftSource

/// Renders a named program as Swift declarations, each file by itself.
///
/// 1. Files of the schema: metadata, types, and initial files of the user.
/// 2. Files of operations and fragments. Each has one literal for its selections, and one struct
///    for each selection set.
/// 3. Files of mocks.
///
/// Names come from ``SwiftNames``. Line breaks and escapes are chosen by the printer of
/// `SwiftSource`.
struct Renderer {
  let program: Program
  let configuration: ApolloCodegenConfiguration
  let names: SwiftNames
  let structures: Structures
  let layout: ModuleLayout
  let frame: FileFrame
  let recursion: InputRecursion
  /// The key fields of object and interface types by name.
  let keyFields: [String: [String]]
  /// The folder of each definition's source, in the order of the program.
  let folders: [String]
  /// Computes identifiers, unless they are hashes.
  let identify: OperationIdentifierProvider?

  init(
    _ named: NamedProgram, _ configuration: ApolloCodegenConfiguration, folders: [String],
    identify: OperationIdentifierProvider? = nil
  ) {
    self.configuration = configuration
    self.folders = folders
    self.identify = identify
    program = named.program
    names = named.names
    structures = named.structures
    layout = named.layout
    frame = FileFrame(configuration)
    let types = program.types
    recursion = InputRecursion(of: types.inputObjects)
    keyFields = Dictionary(
      types.objects.map { ($0.name, $0.keyFields ?? []) }
        + types.interfaces.map { ($0.name, $0.keyFields ?? []) },
      uniquingKeysWith: { first, _ in first })
  }

  var options: ApolloCodegenConfiguration.Options { configuration.options }

  func documentation(of field: Field) -> String? {
    options.schemaDocumentation == .include ? documentation(program.description(of: field)) : nil
  }

  func documentation(_ description: String?) -> String? {
    guard options.schemaDocumentation == .include, let description, !description.isEmpty else {
      return nil
    }
    return description
  }

  /// Returns `@available(*, deprecated, message: "…")`, if the configuration includes such
  /// warnings.
  func deprecation(_ reason: String?) -> [String] {
    guard options.warningsOnDeprecatedUsage == .include, let reason else { return [] }
    return ["@available(*, deprecated, message: \(SwiftString.escaped(reason)))"]
  }

  /// Returns the modifiers of a computed member that is visible outside of its module.
  ///
  /// Such a member is compiled by the modules that use it, and is absent from programs that do not.
  /// Fields are read faster that way, and the compiler emits fewer functions.
  func emittedWhereUsed(_ access: [String]) -> [String] {
    access.isEmpty ? [] : ["@_alwaysEmitIntoClient"] + access
  }

  // MARK: - References

  /// Returns the name of a schema type inside of `scope`.
  func schemaType(_ type: NamedType, in scope: Scope) -> String {
    let kind: SwiftNames.SchemaTypeKind =
      switch type.kind {
      case .enum: .enum
      case .inputObject: .inputObject
      case .customScalar, .builtInScalar, .composite: .scalar
      }
    let name = names.schemaType(type.name, kind)
    return scope.hides(name) || scope.isOutsideOfSchema ? "\(layout.namespace).\(name)" : name
  }

  /// Returns the type of a field's property, with `structure` for objects.
  func outputType(_ type: ValueType, structure: String?, in scope: Scope) -> String {
    switch type {
    case .nonNull(let inner): presentOutputType(inner, structure: structure, in: scope)
    default: presentOutputType(type, structure: structure, in: scope) + "?"
    }
  }

  private func presentOutputType(
    _ type: ValueType, structure: String?, in scope: Scope
  ) -> String {
    switch type {
    case .nonNull(let inner): presentOutputType(inner, structure: structure, in: scope)
    case .list(let element): "[\(outputType(element, structure: structure, in: scope))]"
    case .named(let named): structure ?? leafType(named, in: scope)
    }
  }

  /// Returns the type of a scalar or an enum in models.
  func leafType(_ type: NamedType, in scope: Scope) -> String {
    switch (type.kind, type.name) {
    case (.builtInScalar, "Float"): "Double"
    case (.builtInScalar, "Boolean"): "Bool"
    case (.builtInScalar, let name): name
    case (.enum, _): "GraphQLEnum<\(schemaType(type, in: scope))>"
    default: schemaType(type, in: scope)
    }
  }

  /// Returns the type of a scalar or an enum in models, as another module refers to it.
  func qualifiedLeafType(_ type: NamedType) -> String {
    guard type.kind != .builtInScalar else { return leafType(type, in: Scope()) }
    let kind: SwiftNames.SchemaTypeKind = type.kind == .enum ? .enum : .scalar
    let name = "\(layout.namespace).\(names.schemaType(type.name, kind))"
    return type.kind == .enum ? "GraphQLEnum<\(name)>" : name
  }

  /// Returns the type of a variable or input field.
  func inputType(_ type: ValueType, in scope: Scope) -> String {
    switch type {
    case .nonNull(let inner): presentInputType(inner, in: scope)
    default: "GraphQLNullable<\(presentInputType(type, in: scope))>"
    }
  }

  /// Returns the type of a non-null variable or input field. Items of lists are `null` or a value:
  /// they cannot be omitted.
  func presentInputType(_ type: ValueType, in scope: Scope) -> String {
    switch type {
    case .nonNull(let inner): presentInputType(inner, in: scope)
    case .list(let element):
      "[\(presentInputType(element, in: scope))\(element.isNonNull ? "" : "?")]"
    case .named(let named): leafType(named, in: scope)
    }
  }
}

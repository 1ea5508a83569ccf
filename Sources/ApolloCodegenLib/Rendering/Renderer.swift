import ApolloIR
import SwiftSource

/// Turns a program into Swift declarations. What text looks like is the printer's business; what
/// things are called is ``SwiftNames``'s.
struct Renderer {
  let program: Program
  let configuration: ApolloCodegenConfiguration
  let names: SwiftNames
  let structures: Structures
  let layout: ModuleLayout
  let recursion: InputRecursion
  /// The key fields of object and interface types by name.
  let keyFields: [String: [String]]
  /// Computes identifiers, unless they are hashes.
  let identify: OperationIdentifierProvider?

  init(
    _ named: NamedProgram, _ configuration: ApolloCodegenConfiguration,
    identify: OperationIdentifierProvider? = nil
  ) {
    self.configuration = configuration
    self.identify = identify
    program = named.program
    names = named.names
    structures = named.structures
    layout = named.layout
    let types = program.types
    recursion = InputRecursion(of: types.inputObjects)
    keyFields = Dictionary(
      types.objects.map { ($0.name, $0.keyFields ?? []) }
        + types.interfaces.map { ($0.name, $0.keyFields ?? []) },
      uniquingKeysWith: { first, _ in first })
  }

  var options: ApolloCodegenConfiguration.Options { configuration.options }

  func documentation(_ description: String?) -> String? {
    guard options.schemaDocumentation == .include, let description, !description.isEmpty else {
      return nil
    }
    return description
  }

  /// `@available(*, deprecated, message: "…")`, when the configuration wants such warnings.
  func deprecation(_ reason: String?) -> [String] {
    guard options.warningsOnDeprecatedUsage == .include, let reason else { return [] }
    return ["@available(*, deprecated, message: \(StringLiteral.escaped(reason)))"]
  }

  /// The modifiers of something computed that code outside of the module can see: who uses it compiles it, and what nobody uses
  /// is in no program. Fields are read faster that way, and the compiler has fewer functions to write.
  func emittedWhereUsed(_ access: [String]) -> [String] {
    access.isEmpty ? [] : ["@_alwaysEmitIntoClient"] + access
  }

  // MARK: - References

  /// A schema type as it is named inside `scope`.
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

  /// A field's type as it is read, with `structure` in the place of objects.
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

  /// A scalar or an enum as it is read.
  func leafType(_ type: NamedType, in scope: Scope) -> String {
    switch (type.kind, type.name) {
    case (.builtInScalar, "Float"): "Double"
    case (.builtInScalar, "Boolean"): "Bool"
    case (.builtInScalar, let name): name
    case (.enum, _): "GraphQLEnum<\(schemaType(type, in: scope))>"
    default: schemaType(type, in: scope)
    }
  }

  /// A scalar or an enum as it is read, named from another module.
  func qualifiedLeafType(_ type: NamedType) -> String {
    guard type.kind != .builtInScalar else { return leafType(type, in: Scope()) }
    let kind: SwiftNames.SchemaTypeKind = type.kind == .enum ? .enum : .scalar
    let name = "\(layout.namespace).\(names.schemaType(type.name, kind))"
    return type.kind == .enum ? "GraphQLEnum<\(name)>" : name
  }

  /// A variable's or input field's type.
  func inputType(_ type: ValueType, in scope: Scope) -> String {
    switch type {
    case .nonNull(let inner): presentInputType(inner, in: scope)
    default: "GraphQLNullable<\(presentInputType(type, in: scope))>"
    }
  }

  /// Items of lists are `null` or a value: they cannot be left out.
  func presentInputType(_ type: ValueType, in scope: Scope) -> String {
    switch type {
    case .nonNull(let inner): presentInputType(inner, in: scope)
    case .list(let element):
      "[\(presentInputType(element, in: scope))\(element.isNonNull ? "" : "?")]"
    case .named(let named): leafType(named, in: scope)
    }
  }
}

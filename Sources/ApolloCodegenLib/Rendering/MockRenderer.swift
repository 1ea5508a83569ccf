import ApolloIR
import SwiftSource

/// A renderer of the mocks of a schema's object types.
struct MockRenderer {
  private let renderer: Renderer
  private let fields: [String: [Field]]
  private let objects: Set<String>
  private let access: [String]
  /// The types that are visible at the top of a file with mocks.
  private let visible: Set<String>

  private var names: SwiftNames { renderer.names }
  private var layout: ModuleLayout { renderer.layout }

  /// Creates a renderer, or `nil` if the configuration has no mocks.
  init?(_ renderer: Renderer) {
    let modifier: ApolloCodegenConfiguration.AccessModifier
    switch renderer.configuration.output.testMocks {
    case .none: return nil
    case .absolute(_, let access): modifier = access
    case .swiftPackage: modifier = .public
    }
    self.renderer = renderer
    // Public mocks cannot refer to internal types.
    access = modifier == .public && renderer.layout.schemaAccess == .public ? ["public"] : []
    fields = renderer.program.selectedFields()
    objects = Set(renderer.program.types.objects.map(\.name))
    visible = Self.visibleTypes(renderer)
  }

  /// Returns the types of the module that mocks import.
  private static func visibleTypes(_ renderer: Renderer) -> Set<String> {
    let (types, names) = (renderer.program.types, renderer.names)
    var visible: Set<String> = [renderer.layout.namespace]
    if !renderer.layout.isEmbedded {
      visible.formUnion(types.enums.map { names.schemaType($0.name, .enum) })
      visible.formUnion(types.inputObjects.map { names.schemaType($0.name, .inputObject) })
      visible.formUnion(types.scalars.map { names.schemaType($0.name, .scalar) })
    }
    if !renderer.layout.definitionsAreNested {
      visible.formUnion(renderer.program.definitions.map(names.definition))
    }
    return visible
  }

  /// Returns the name of a declaration in another module, qualified if one of `visible` may have
  /// the same name.
  private func name(_ name: String, of module: String = "ApolloTestSupport") -> String {
    visible.contains(name) ? "\(module).\(name)" : name
  }

  /// Renders `enum Dog: MockObject` and the initializer of `Mock<Dog>`.
  func file(_ type: ObjectType) -> SourceFile {
    let name = names.mock(type.name)
    let fields = fields[type.name] ?? []
    var declarations = [object(type, name, fields)]
    if !fields.isEmpty { declarations.append(initializer(name, fields)) }
    var file = renderer.file(
      declarations, imports: ["ApolloTestSupport"], isNested: false, isPublic: !access.isEmpty)
    file.imports.append(schemaImport(fields))
    return file
  }

  /// Returns the import of the schema's module.
  ///
  /// Internal types of a target are visible to its tests. Other types are imported publicly if a
  /// field of the mock has one of them.
  private func schemaImport(_ fields: [Field]) -> String {
    if layout.schemaAccess == .internal { return "@testable import \(layout.schemaModule)" }
    let isShown = !access.isEmpty && fields.contains { isOfSchema($0.type) }
    return "\(isShown ? "public " : "")import \(layout.schemaModule)"
  }

  /// Returns `true` if the name of a type of the schema's module occurs in a type.
  ///
  /// `ID` is the module's own alias, unless that is nested in a namespace: then it is the
  /// runtime's.
  private func isOfSchema(_ type: ValueType) -> Bool {
    switch type {
    case .nonNull(let inner), .list(let inner): isOfSchema(inner)
    case .named(let named):
      switch named.kind {
      case .composite: false
      case .builtInScalar: named.name == "ID" && !layout.isEmbedded
      default: true
      }
    }
  }

  private func object(_ type: ObjectType, _ name: String, _ fields: [Field]) -> Declaration {
    let object = Identifier.escaped(names.schemaType(type.name, .object))
    let swiftNames = properties(of: fields)
    let properties = zip(fields, swiftNames).map { field, name in
      Declaration(
        .property(
          Property(
            Identifier.escaped(name), type: nil,
            .let(
              .call(
                "\(self.name("MockField"))<\(self.type(of: field))>",
                [.init(nil, .string(field.responseKey))])))),
        attributes: renderer.deprecation(
          renderer.program.deprecationReason(of: field)), modifiers: access)
    }
    let members = [
      Declaration(
        .property(
          Property(
            "objectType", type: nil, .let(.code("\(layout.namespace).Objects.\(object)")))),
        modifiers: access + ["static"]),
      Declaration(
        .property(Property("_mockFields", type: nil, .let(.code("MockFields()")))),
        modifiers: access + ["static"]),
      Declaration(
        .group(
          Group(
            "struct", "MockFields", inherits: [self.name("Sendable", of: "Swift")],
            members: properties)),
        modifiers: layout.typeModifiers(access)),
    ]
    return Declaration(
      .group(Group("enum", name, inherits: [self.name("MockObject")], members: members)),
      documentation: "Mocks of `\(type.name)`: `Mock<\(name)>()`.",
      modifiers: layout.typeModifiers(access))
  }

  private func initializer(_ name: String, _ fields: [Field]) -> Declaration {
    let swiftNames = properties(of: fields).map(Identifier.escaped)
    let parameters = zip(fields, swiftNames).map { field, name in
      Parameter(name, type: optional(type(of: field)), value: .code("nil"))
    }
    let values = zip(fields, swiftNames).map { field, name in
      Expression.Entry(.string(field.responseKey), .code(name))
    }
    let body = Expression.call("self.init", [.init("_values", .dictionary(values))])
    let initializer = Declaration(
      .function(Function("init", parameters, body: [body.flat])),
      modifiers: access + ["convenience"])
    return Declaration(
      .group(
        Group(
          "extension", self.name("Mock"), requirements: "O == \(name)",
          members: shadowed(name, fields) + [initializer])),
      modifiers: layout.isNonisolated ? ["nonisolated"] : [])
  }

  /// Renders the property of a field that has the name of a member of every mock, which Swift finds
  /// before it looks for a field: `hash` is a method of `Hashable`.
  private func shadowed(_ name: String, _ fields: [Field]) -> [Declaration] {
    zip(fields, properties(of: fields)).filter { $0.1 == "hash" }.map { field, property in
      let value = "self[dynamicMember: \\\(name).MockFields.\(property)]"
      return Declaration(
        .property(
          Property(
            property, type: optional(type(of: field)),
            .computed(getter: [value], setter: ["\(value) = newValue"]))),
        attributes: renderer.deprecation(renderer.program.deprecationReason(of: field)),
        modifiers: access)
    }
  }

  private func properties(of fields: [Field]) -> [String] {
    names.mockProperties(fields.map(\.responseKey), types: fields.map(type))
  }

  // MARK: - Types

  /// Returns the type of a field's values, without the outermost `Optional`.
  private func type(of field: Field) -> String { type(field.type.nullable) }

  private func type(_ type: ValueType) -> String {
    switch type {
    case .nonNull(let inner): self.type(inner)
    case .list(let element):
      "[\(element.isNonNull ? self.type(element) : optional(self.type(element)))]"
    case .named(let named): self.type(named)
    }
  }

  private func type(_ named: NamedType) -> String {
    guard named.kind == .composite else { return renderer.qualifiedLeafType(named) }
    return objects.contains(named.name)
      ? "\(name("Mock"))<\(names.mock(named.name))>" : "any \(name("AnyMock"))"
  }

  private func optional(_ type: String) -> String {
    type.hasPrefix("any ") ? "(\(type))?" : "\(type)?"
  }
}

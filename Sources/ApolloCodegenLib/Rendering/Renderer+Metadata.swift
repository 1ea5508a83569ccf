import ApolloIR
import SwiftSource

extension Renderer {
  // MARK: - Object, interface and union types

  func objectFile(_ type: ObjectType) -> SourceFile {
    compositeFile(
      "Objects", names.schemaType(type.name, .object), type.description,
      .call(
        "ApolloAPI.Object",
        [
          .init("typename", .string(type.name)),
          .init(
            "implementedInterfaces",
            .code(list(type.interfaces.map { member("Interfaces", identifier($0, .interface)) }))),
          .init("keyFields", keyFields(type.keyFields)),
        ] + fieldPolicies(type.fieldPolicies)))
  }

  func interfaceFile(_ type: InterfaceType) -> SourceFile {
    compositeFile(
      "Interfaces", names.schemaType(type.name, .interface), type.description,
      .call(
        "ApolloAPI.Interface",
        [
          .init("name", .string(type.name)), .init("keyFields", keyFields(type.keyFields)),
        ] + fieldPolicies(type.fieldPolicies) + [
          .init(
            "implementingObjects",
            .code(list(type.implementingObjects.map(StringLiteral.escaped))))
        ]))
  }

  func unionFile(_ type: UnionType) -> SourceFile {
    compositeFile(
      "Unions", names.schemaType(type.name, .union), type.description,
      .call(
        "ApolloAPI.Union",
        [
          .init("name", .string(type.name)),
          .init(
            "possibleTypes",
            .code(list(type.possibleTypes.map { member("Objects", identifier($0, .object)) }))),
        ]))
  }

  /// One line, however long: nobody reads these lists.
  private func compositeFile(
    _ group: String, _ name: String, _ description: String?, _ value: Expression
  ) -> SourceFile {
    let property = Declaration(
      .property(Property(Identifier.escaped(name), type: nil, .let(.code(value.flat)))),
      documentation: documentation(description), modifiers: layout.schemaModifiers + ["static"])
    let owner = layout.isEmbedded ? "\(layout.namespace).\(group)" : group
    return file(
      [Declaration(.group(Group("extension", owner, members: [property])))],
      imports: ["ApolloAPI"], isNested: false, isPublic: layout.schemaAccess == .public)
  }

  /// A constant as it is named in an extension of `Objects`, `Interfaces` or `Unions`, from where
  /// the namespace is not in view.
  private func member(_ group: String, _ name: String) -> String {
    layout.isEmbedded ? "\(layout.namespace).\(group).\(name)" : "\(group).\(name)"
  }

  private func identifier(_ name: String, _ kind: SwiftNames.SchemaTypeKind) -> String {
    Identifier.escaped(names.schemaType(name, kind))
  }

  private func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

  private func keyFields(_ fields: [String]?) -> Expression {
    fields.map { .array($0.map(Expression.string)) } ?? .code("nil")
  }

  /// Left out where there is none: few types have policies.
  private func fieldPolicies(_ policies: [FieldPolicy]) -> [Expression.Argument] {
    guard !policies.isEmpty else { return [] }
    let entries = policies.map { policy in
      let arguments = list(policy.keyArguments.map(StringLiteral.escaped))
      return "\(StringLiteral.escaped(policy.field)): \(arguments)"
    }
    return [.init("fieldPolicies", .code(list(entries)))]
  }

  // MARK: - Schema metadata

  func metadataFile() -> SourceFile {
    let access = layout.schemaModifiers
    func bound(_ name: String, _ views: [String], isRoot: Bool) -> Declaration {
      let views = views.map { "ApolloAPI.\($0)<\(layout.namespace).SchemaMetadata>" }
      let values = ["ApolloAPI.\(isRoot ? "Root" : "")ModelValue"]
      return Declaration(
        .typeAlias(name: name, target: (views + values).joined(separator: " & ")),
        modifiers: access)
    }
    let types = Expression.call(
      "SchemaTypes",
      [
        .init(
          "objects",
          .array(program.types.objects.map { .code("Objects.\(identifier($0.name, .object))") })),
        .init(
          "interfaces",
          .array(
            program.types.interfaces.map { .code("Interfaces.\(identifier($0.name, .interface))") })
        ),
        .init(
          "unions",
          .array(program.types.unions.map { .code("Unions.\(identifier($0.name, .union))") })),
      ])
    let metadata = Declaration(
      .group(
        Group(
          "enum", "SchemaMetadata", inherits: ["ApolloAPI.SchemaMetadata"],
          members: [
            Declaration(
              .property(
                Property(
                  "configuration", type: "any ApolloAPI.SchemaConfiguration.Type",
                  .let(.code("SchemaConfiguration.self")))), modifiers: access + ["static"]),
            Declaration(
              .property(Property("types", type: nil, .let(types))), modifiers: access + ["static"]),
          ])), modifiers: layout.typeModifiers(access))
    let groups = ["Objects", "Interfaces", "Unions"].map {
      Declaration(.group(Group("enum", $0)), modifiers: layout.typeModifiers(access))
    }
    return schemaFile(
      [
        bound("SelectionSet", ["RootSelectionSet"], isRoot: true),
        bound("InlineFragment", ["InlineFragment"], isRoot: false),
        bound("MutableSelectionSet", ["MutableRootSelectionSet"], isRoot: true),
        bound("MutableInlineFragment", ["MutableSelectionSet", "InlineFragment"], isRoot: false),
        metadata,
      ] + groups)
  }

  /// Written once; how objects are told apart in the cache is the user's to say.
  func configurationFile() -> SourceFile {
    let access = layout.schemaModifiers
    let function = Declaration(
      .function(
        Function(
          "func cacheKeyInfo",
          [
            Parameter("for type", type: "ApolloAPI.Object"),
            Parameter("object", type: "ObjectData"),
          ], tail: "-> CacheKeyInfo?", body: ["nil"])),
      documentation: """
        The address of an object in the cache, or `nil` to let the key fields of its type decide.

        For example, for a schema whose types all have an `id`:
        `try? CacheKeyInfo(jsonValue: object["id"])`
        """, modifiers: access + ["static"])
    let declaration = Declaration(
      .group(
        Group(
          "enum", "SchemaConfiguration", inherits: ["ApolloAPI.SchemaConfiguration"],
          members: [function])),
      documentation: "This file is yours: it is written once and never overwritten.",
      modifiers: layout.typeModifiers(access))
    return file(
      [declaration], imports: ["ApolloAPI"], isNested: layout.isEmbedded,
      isPublic: layout.schemaAccess == .public, isEditable: true)
  }

  func namespaceFile() -> SourceFile {
    file(
      [
        Declaration(
          .group(Group("enum", layout.namespace)),
          modifiers: layout.typeModifiers(layout.schemaModifiers))
      ], imports: [], isNested: false, isPublic: false)
  }

  // MARK: - Files

  func schemaFile(_ declarations: [Declaration]) -> SourceFile {
    file(
      declarations, imports: ["ApolloAPI"], isNested: layout.isEmbedded,
      isPublic: layout.schemaAccess == .public)
  }

  /// Makes a file of declarations.
  ///
  /// - Parameters:
  ///   - declarations: What the file declares.
  ///   - imports: The modules that it imports.
  ///   - isNested: Whether the declarations go into the namespace.
  ///   - isPublic: Whether what is imported shows in public declarations.
  ///   - isEditable: Whether the file is the user's once it exists.
  /// - Returns: The file, with the marker of generated code unless it is editable.
  func file(
    _ declarations: [Declaration], imports: [String], isNested: Bool, isPublic: Bool,
    isEditable: Bool = false
  ) -> SourceFile {
    let nested =
      isNested
      ? [Declaration(.group(Group("extension", layout.namespace, members: declarations)))]
      : declarations
    let header = isEditable ? [] : [Self.header]
    let runtime = options.cocoapodsCompatibleImportStatements ? "Apollo" : "ApolloAPI"
    let modules = Set(imports.filter { !$0.isEmpty }.map { $0 == "ApolloAPI" ? runtime : $0 })
      .sorted()
    return SourceFile(
      header: header, imports: modules.map { isPublic ? "public import \($0)" : "import \($0)" },
      declarations: nested)
  }

  /// The first line of every file that nobody but the generator changes, without its slashes.
  static let header = String(OutputWriter.marker.dropFirst(3)) + ". Do not edit."
}

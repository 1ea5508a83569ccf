import ApolloIR
import SwiftSource

extension Renderer {
  // MARK: - Object, interface and union types

  func objectFile(_ type: ObjectType) -> SourceFile {
    compositeFile("Object", type.name, names.schemaType(type.name, .object), type.description)
  }

  func interfaceFile(_ type: InterfaceType) -> SourceFile {
    compositeFile("Interface", type.name, names.schemaType(type.name, .interface), type.description)
  }

  func unionFile(_ type: UnionType) -> SourceFile {
    compositeFile("Union", type.name, names.schemaType(type.name, .union), type.description)
  }

  /// Renders the file of a type. Its constant has the type's name; the other facts are in
  /// ``typesOfSchema``.
  private func compositeFile(
    _ kind: String, _ typename: String, _ name: String, _ description: String?
  ) -> SourceFile {
    // An extension of `Objects` does not see names in the namespace around it.
    let metadata = (layout.isEmbedded ? "\(layout.namespace)." : "") + "SchemaMetadata"
    let property = Declaration(
      .property(
        Property(
          Identifier.escaped(name), type: "ApolloAPI.\(kind)",
          .computedOnOneLine(".init(\(SwiftString.escaped(typename)), of: \(metadata).self)"))),
      documentation: documentation(description),
      modifiers: emittedWhereUsed(layout.schemaModifiers) + ["static"])
    let owner = (layout.isEmbedded ? "\(layout.namespace)." : "") + "\(kind)s"
    return file(
      [Declaration(.group(Group("extension", owner, members: [property])))],
      imports: ["ApolloAPI"], isNested: false, isPublic: layout.schemaAccess == .public)
  }

  // MARK: - Schema metadata

  func metadataFile() -> SourceFile {
    let access = layout.schemaModifiers
    func bound(_ name: String, _ views: [String], isRoot: Bool) -> Declaration {
      let views = views.map { "ApolloAPI.\($0)<\(layout.namespace).SchemaMetadata>" }
      // An inline fragment alone is not a whole object, so it cannot be decoded.
      let additional = options.additionalConformances.filter { isRoot || $0 != .codable }
      let values =
        ["ApolloAPI.GeneratedCode.\(isRoot ? "Root" : "")ModelValue"]
        // Qualified, because a type of the schema can have these names.
        + additional.map { "Swift.\($0.rawValue)" }.sorted()
      return Declaration(
        .typeAlias(name: name, target: (views + values).joined(separator: " & ")),
        modifiers: access)
    }
    let types = Expression.call(
      "ApolloAPI.GeneratedCode.SchemaTypes", [.init(nil, .lines(SchemaLines.types(program.types)))])
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
          ] + maxAges(access) + maxAgesInOperations(access) + [identifierCheck])),
      modifiers: layout.typeModifiers(access))
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

  /// The maximum ages of the schema, in the format that `MaxAges` of `ApolloAPI` reads. Nothing if
  /// the schema has none.
  private func maxAges(_ access: [String]) -> [Declaration] {
    let lines = SchemaLines.maxAges(program.types)
    guard !lines.isEmpty else { return [] }
    let value = Expression.call("ApolloAPI.MaxAges", [.init(nil, .lines(lines))])
    return [
      Declaration(
        .property(Property("maxAges", type: nil, .let(value))), modifiers: access + ["static"])
    ]
  }

  /// The mark of a schema whose operations have maximum ages, so that the cache tracks all writes.
  private func maxAgesInOperations(_ access: [String]) -> [Declaration] {
    guard program.hasMaxAges else { return [] }
    return [
      Declaration(
        .property(Property("_hasMaxAgesInOperations", type: nil, .let(.code("true")))),
        modifiers: access + ["static"])
    ]
  }

  /// A declaration that compiles only if `ID`, which a file of the user declares, is the type that
  /// models hold. Another type would be read as text.
  private var identifierCheck: Declaration {
    Declaration(
      .function(
        Function(
          "func checked", [Parameter("_ id", type: "ID")], tail: "-> ApolloAPI.ID", body: ["id"])),
      documentation: "`ID` has to be `ApolloAPI.ID`, which is what models hold.",
      modifiers: ["private", "static"])
  }

  /// Renders a file that is written once. In it, the user chooses the cache keys of objects.
  func configurationFile() -> SourceFile {
    frame.configurationFile(of: program.schema)
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

  /// Assembles a file of declarations; see ``FileFrame``.
  func file(
    _ declarations: [Declaration], imports: [String], isNested: Bool, isPublic: Bool,
    isEditable: Bool = false
  ) -> SourceFile {
    frame.file(
      declarations, imports: imports, isNested: isNested, isPublic: isPublic, isEditable: isEditable
    )
  }
}

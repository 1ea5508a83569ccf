import GraphQLSchema
import SwiftSource

/// The parts of files around declarations, which depend on the configuration alone.
struct FileFrame {
  private let configuration: ApolloCodegenConfiguration
  private let layout: ModuleLayout

  init(_ configuration: ApolloCodegenConfiguration) {
    self.configuration = configuration
    layout = ModuleLayout(configuration)
  }

  /// Assembles a file of declarations.
  ///
  /// - Parameters:
  ///   - declarations: The declarations of the file.
  ///   - imports: The modules that it imports.
  ///   - isNested: `true` to nest the declarations in the namespace.
  ///   - isPublic: `true` if public declarations use the imported modules.
  ///   - isEditable: `true` if the file belongs to the user once it exists.
  /// - Returns: The file, with the marker of generated code unless it is editable.
  func file(
    _ declarations: [Declaration], imports: [String], isNested: Bool, isPublic: Bool,
    isEditable: Bool = false
  ) -> SourceFile {
    let nested =
      isNested
      ? [Declaration(.group(Group("extension", layout.namespace, members: declarations)))]
      : declarations
    let header = isEditable ? [] : [GeneratedFile.header]
    let runtime = configuration.options.cocoapodsCompatibleImportStatements ? "Apollo" : "ApolloAPI"
    let modules = Set(imports.filter { !$0.isEmpty }.map { $0 == "ApolloAPI" ? runtime : $0 })
      .sorted()
    return SourceFile(
      header: header, imports: modules.map { isPublic ? "public import \($0)" : "import \($0)" },
      declarations: nested)
  }

  /// Renders a file that is written once. In it, the user chooses the cache keys of objects.
  func configurationFile(of schema: Schema) -> SourceFile {
    let access = layout.schemaModifiers
    let identification = ObjectIdentification(schema)
    let function = Declaration(
      .function(
        Function(
          "func cacheKeyInfo",
          [
            Parameter("for type", type: "ApolloAPI.Object"),
            Parameter("object", type: "ObjectData"),
          ], tail: "-> CacheKeyInfo?", body: identification.statements)),
      documentation: identification.documentation, modifiers: access + ["static"])
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
}

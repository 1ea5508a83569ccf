import GraphQLSchema
import GraphQLSyntax

/// The definitions of a schema as they were written, before they were merged into types.
struct SchemaDefinitions {
  /// The definitions to check.
  let all: ArraySlice<Definition>
  /// The definitions of the base schema that `all` extend, or nothing if there is none.
  let base: ArraySlice<Definition>?
  /// All elements with directives, in the order of the text.
  let applied: [AppliedDirectives]
  private let document: Document

  init(of draft: SchemaDraft) {
    document = draft.schema.document
    all = document.definitions[draft.definitions]
    base = draft.base.map { draft.schema.document.definitions[$0] }
    applied = AppliedDirectives.all(in: all, document)
  }

  /// The type definitions and type extensions to check.
  var types: some Sequence<TypeDefinition> { types(in: all) }

  /// Returns the type definitions and type extensions in `definitions`.
  func types(in definitions: ArraySlice<Definition>) -> some Sequence<TypeDefinition> {
    definitions.lazy.compactMap { definition in
      if case .type(let id) = definition { document[id] } else { nil }
    }
  }

  /// The directive definitions to check.
  var directives: some Sequence<DirectiveDefinition> { directives(in: all) }

  /// Returns the directive definitions in `definitions`, without extensions.
  func directives(in definitions: ArraySlice<Definition>) -> some Sequence<DirectiveDefinition> {
    directives(in: definitions, areExtensions: false)
  }

  /// The directive extensions to check.
  var directiveExtensions: some Sequence<DirectiveDefinition> {
    directives(in: all, areExtensions: true)
  }

  private func directives(
    in definitions: ArraySlice<Definition>, areExtensions: Bool
  ) -> some Sequence<DirectiveDefinition> {
    definitions.lazy.compactMap { definition in
      guard case .directive(let id) = definition else { return nil }
      return document[id].isExtension == areExtensions ? document[id] : nil
    }
  }

  /// Returns the schema definitions and extensions in `definitions`.
  func schemas(in definitions: ArraySlice<Definition>) -> some Sequence<SchemaDefinition> {
    definitions.lazy.compactMap { definition in
      if case .schema(let id) = definition { document[id] } else { nil }
    }
  }
}

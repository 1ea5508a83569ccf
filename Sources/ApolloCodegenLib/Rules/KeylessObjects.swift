import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// A search for objects in lists that could have a cache key and have none.
///
/// In a schema whose types have a field `id`, objects of types without one are meant to be a part
/// of their parent, as the edges of a connection are. The objects inside of them are a part of the
/// list, too, so the search continues with those: with the `node` of each edge. Of a union, and of
/// an interface without the field, each object type counts by itself.
struct KeylessObjects {
  /// A field whose objects have no key.
  struct Found {
    let field: Field.ID
    /// The list that holds the objects: the same field, or one around it.
    let list: Field.ID
  }

  /// The fields, in the order of their lists.
  private(set) var found: [Found] = []

  private let valid: ValidatedDocument
  private let schema: Schema
  /// The name of the field that identifies objects, or `nil` if the document and the schema do not
  /// have the name.
  private let key: Symbol?
  /// `true` if objects of the schema can be identified by the field.
  private let hasIdentifiedTypes: Bool
  private var visitedFields: Set<Field.ID> = []
  /// The fragments whose fields were visited as a part of a list.
  private var visitedFragments: Set<FragmentDefinition.ID> = []
  private var contents: [FragmentOfType: Contents] = [:]

  private struct FragmentOfType: Hashable {
    var fragment: FragmentDefinition.ID
    var type: Schema.NamedType.ID?
  }

  /// The kinds of fields that a selection set has for a type.
  private struct Contents: OptionSet {
    let rawValue: UInt8
    static let key = Contents(rawValue: 1)
    /// A field that is neither the key nor `__typename`.
    static let others = Contents(rawValue: 2)
  }

  /// Searches a document.
  ///
  /// - Complexity: O(*n*) in the size of the document, times the number of object types of the
  ///   unions that lists have.
  init(in document: ValidatedDocument, _ identification: ObjectIdentification) {
    valid = document
    schema = document.schema
    key = document.schema.names.symbol(for: ObjectIdentification.field)
    hasIdentifiedTypes = identification.isPossible
    for index in valid.document.fields.indices {
      let id = Field.ID(rawValue: UInt32(index))
      if isList(id) { visit(id, in: id) }
    }
  }

  private func isList(_ field: Field.ID) -> Bool {
    valid.types.definition(of: field).map { schema[$0].type.isList } ?? false
  }

  private mutating func visit(_ id: Field.ID, in list: Field.ID) {
    guard let definition = valid.types.definition(of: id),
      let selectionSet = valid.document[id].selectionSet, visitedFields.insert(id).inserted
    else { return }
    let type = schema[definition].type.namedType
    // Introspection is not cached.
    guard !schema.name(of: type).hasPrefix("__"), !hasPolicy(type) else { return }
    if isWithoutKey(selectionSet, type) {
      found.append(Found(field: id, list: list))
    } else if identifiedTypes(of: type).isEmpty {
      visitFields(of: selectionSet, in: list)
    }
  }

  /// Visits the fields of objects that are a part of a list. Lists inside of it are visited anyway.
  private mutating func visitFields(of selectionSet: SelectionSet, in list: Field.ID) {
    for selection in selectionSet.selections {
      switch valid.document[selection] {
      case .field(let id): if !isList(id) { visit(id, in: list) }
      case .inlineFragment(let id): visitFields(of: valid.document[id].selectionSet, in: list)
      case .fragmentSpread(let id):
        guard let fragment = valid.fragment(named: valid.document[id].name.symbol),
          visitedFragments.insert(fragment).inserted
        else { continue }
        visitFields(of: valid.document[fragment].selectionSet, in: list)
      }
    }
  }

  // MARK: - Types

  /// Returns `true` if objects could have a key, and are selected without it.
  private mutating func isWithoutKey(
    _ selectionSet: SelectionSet, _ type: Schema.NamedType.ID
  ) -> Bool {
    guard hasIdentifiedTypes else { return true }
    if canIdentify(type) { return !contents(of: selectionSet, for: nil).contains(.key) }
    for object in identifiedTypes(of: type) {
      if contents(of: selectionSet, for: object) == .others { return true }
    }
    return false
  }

  /// Returns the object types of a type that have the field, and no policy that names others.
  private func identifiedTypes(of type: Schema.NamedType.ID) -> [Schema.NamedType.ID] {
    schema.possibleTypes(of: type).filter { canIdentify($0) && !hasPolicy($0) }
  }

  private func canIdentify(_ type: Schema.NamedType.ID) -> Bool {
    key.map { schema.canIdentify(type, by: $0) } ?? false
  }

  /// Returns `true` if a type, one of its interfaces, or one of its object types where all that it
  /// has are in question, names key fields.
  private func hasPolicy(_ type: Schema.NamedType.ID) -> Bool {
    let objects = schema[type].kind == .union ? [] : Array(schema.possibleTypes(of: type))
    return ([type] + schema[schema[type].interfaces].map(\.type) + objects).contains { type in
      schema.directives(of: type).contains { directive in
        let document = schema.document
        return document.spelling(directive.name) == "typePolicy"
          && document[directive.arguments].contains { document.spelling($0.name) == "keyFields" }
      }
    }
  }

  // MARK: - Selections

  /// Returns the kinds of fields that apply to objects of a type, or to any object for `nil`.
  private mutating func contents(
    of selectionSet: SelectionSet, for type: Schema.NamedType.ID?
  ) -> Contents {
    var result: Contents = []
    for selection in selectionSet.selections {
      switch valid.document[selection] {
      case .field(let id):
        let name = valid.document[id].name
        if name.symbol == key {
          result.insert(.key)
        } else if valid.document.spelling(name) != "__typename" {
          result.insert(.others)
        }
      case .inlineFragment(let id):
        let part = valid.document[id].selectionSet
        if applies(part, to: type) { result.formUnion(contents(of: part, for: type)) }
      case .fragmentSpread(let id):
        guard let fragment = valid.fragment(named: valid.document[id].name.symbol) else { continue }
        result.formUnion(contents(of: fragment, for: type))
      }
    }
    return result
  }

  private mutating func contents(
    of fragment: FragmentDefinition.ID, for type: Schema.NamedType.ID?
  ) -> Contents {
    let place = FragmentOfType(fragment: fragment, type: type)
    if let known = contents[place] { return known }
    let selectionSet = valid.document[fragment].selectionSet
    let result = applies(selectionSet, to: type) ? contents(of: selectionSet, for: type) : []
    contents[place] = result
    return result
  }

  private func applies(_ selectionSet: SelectionSet, to type: Schema.NamedType.ID?) -> Bool {
    guard let type, let condition = valid.types.parentType(of: selectionSet) else { return true }
    return schema.doTypesOverlap(type, condition)
  }
}

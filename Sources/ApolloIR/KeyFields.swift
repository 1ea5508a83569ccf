import GraphQLSchema
import GraphQLSyntax

/// A field that is added to the selections of the source: `__typename`, or a key field.
struct AddedField: Hashable {
  var name: String
  /// The alias, if another field has the name as its response key.
  var alias: String?
  /// `true` for a key field of an interface's objects, which the interface itself does not name. It
  /// is added only where the source does not select it.
  var isOfObjects = false

  var responseKey: String { alias ?? name }

  /// The field as it is written in a document.
  var text: String { alias.map { "\($0): \(name)" } ?? name }
}

/// The key fields of the types of a schema, from `@typePolicy(keyFields: "a b")`.
struct KeyFields {
  typealias Names = [Schema.NamedType.ID: [String]]

  /// The key fields of types with a policy, or with an interface that has one.
  private(set) var declared: Names = [:]
  /// The key fields that selections on a type receive: those that it declares, or those of its
  /// possible types.
  private(set) var selected: Names = [:]
  /// The object types whose key fields an interface without a policy lacks, in the order of the
  /// schema.
  private(set) var incomplete: [Schema.NamedType.ID: [Schema.NamedType.ID]] = [:]

  init(of schema: Schema) {
    var own: Names = [:]
    for id in schema.definedTypes {
      let text = SchemaView.stringArgument(
        "keyFields", of: "typePolicy", in: schema.directives(of: id), schema)
      own[id] = text.map { SchemaView.names(in: $0) }
    }
    guard !own.isEmpty else { return }
    declared = own
    for id in schema.definedTypes where own[id] == nil {
      declared[id] = schema[schema[id].interfaces].lazy.compactMap { own[$0.type] }.first
    }
    selected = declared
    for id in schema.definedTypes where schema[id].kind == .interface && declared[id] == nil {
      addKeysOfObjects(of: id, schema)
    }
  }

  /// Collects the key fields of the objects of an interface.
  ///
  /// A field that the interface declares like all of its objects is selected once, for all of them.
  /// Objects with other key fields need a fragment of their own.
  private mutating func addKeysOfObjects(of interface: Schema.NamedType.ID, _ schema: Schema) {
    let objects = schema.possibleTypes(of: interface).filter { declared[$0] != nil }
    var shared: [String] = []
    for object in objects {
      let names = declared[object] ?? []
      let isComplete = names.allSatisfy { name in
        guard Self.isSame(name, in: interface, schema) else { return false }
        if !shared.contains(name) { shared.append(name) }
        return true
      }
      if !isComplete { incomplete[interface, default: []].append(object) }
    }
    if !shared.isEmpty { selected[interface] = shared }
  }

  /// Returns `true` if an interface and all of its objects declare a field with the same type.
  private static func isSame(
    _ name: String, in interface: Schema.NamedType.ID, _ schema: Schema
  ) -> Bool {
    guard let symbol = schema.names.symbol(for: name),
      let field = schema.field(symbol, of: interface)
    else { return false }
    return schema.possibleTypes(of: interface).allSatisfy { object in
      schema.field(symbol, of: object).map { schema[$0].type == schema[field].type } ?? false
    }
  }
}

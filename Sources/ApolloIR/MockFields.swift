import GraphQLSchema

extension Program {
  /// Returns the fields that operations and fragments select of objects of each type, by the type's
  /// name, sorted by response key.
  ///
  /// If a response key belongs to several fields, the one with that name is chosen, or the first.
  ///
  /// - Complexity: O(*s* × *t*) for *s* selections on types with *t* object types each.
  package func selectedFields() -> [String: [Field]] {
    let view = SchemaView(schema)
    var names: [Schema.NamedType.ID: [String: String]] = [:]
    for set in selectionSets {
      let fields = set.ownFields.filter { $0.name != "__typename" }
      let types =
        isConcrete(set) ? [set.parentType] : Array(schema.possibleTypes(of: set.parentType))
      for type in types {
        for field in fields
        where names[type]?[field.responseKey] == nil || field.name == field.responseKey {
          names[type, default: [:]][field.responseKey] = field.name
        }
      }
    }
    var result: [String: [Field]] = [:]
    for (type, names) in names {
      result[view.name(of: type)] = names.sorted { $0.key < $1.key }.compactMap { key, name in
        var field = view.selection(ofFieldNamed: name, on: type)
        field?.responseKey = key
        return field
      }
    }
    return result
  }
}

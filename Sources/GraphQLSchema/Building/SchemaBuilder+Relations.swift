import GraphQLSyntax

extension SchemaBuilder {
  mutating func findPossibleTypes() {
    var possible = PossibleTypes(typeCount: schema.types.count)
    let implementers = implementersByInterface()
    for (index, type) in schema.types.enumerated() {
      let id = Schema.NamedType.ID(rawValue: UInt32(index))
      switch type.kind {
      case .union:
        let members = schema.mentions[type.members.indices].map(\.type)
        possible.append(members.filter { schema[$0].kind == .object }, for: id)
      case .interface:
        possible.append(implementers.members[implementers.ranges[index]], for: id)
      case .scalar, .object, .enum, .inputObject: break
      }
    }
    schema.possible = possible
  }

  /// Returns the objects that implement each type, in ascending order, using a counting sort.
  private func implementersByInterface() -> (
    members: [Schema.NamedType.ID], ranges: [Range<Int>]
  ) {
    var ends = Array(repeating: 0, count: schema.types.count + 1)
    for type in schema.types where type.kind == .object {
      for mention in schema.mentions[type.interfaces.indices] { ends[mention.type.index + 1] += 1 }
    }
    for index in 1..<ends.count { ends[index] += ends[index - 1] }
    let starts = ends
    var members = Array(repeating: Schema.NamedType.ID(rawValue: 0), count: ends.last ?? 0)
    for (index, type) in schema.types.enumerated() where type.kind == .object {
      for mention in schema.mentions[type.interfaces.indices] {
        members[ends[mention.type.index]] = Schema.NamedType.ID(rawValue: UInt32(index))
        ends[mention.type.index] += 1
      }
    }
    return (members, zip(starts, ends).map { $0..<max($0, $1) })
  }

  /// Finds the root operation types: those of `schema { … }` or else the types with the default
  /// names.
  mutating func findRoots(namedByDefault definitions: ArraySlice<Definition>) {
    if !schema.schemaDefinitions.contains(where: { !document[$0].isExtension }) {
      for case .type(let id) in definitions { setDefaultRoot(id) }
    }
    for id in schema.schemaDefinitions {
      for root in document[document[id].rootOperationTypes] {
        guard let type = resolve(root.type) else { continue }
        schema.roots[Int(root.kind.rawValue)] = Schema.RootOperation(
          type: type, span: root.type.span)
      }
    }
  }

  private mutating func setDefaultRoot(_ id: TypeDefinition.ID) {
    let kind: OperationKind? =
      switch document[id].name.symbol {
      case .queryType: .query
      case .mutationType: .mutation
      case .subscriptionType: .subscription
      default: nil
      }
    guard let kind, !document[id].isExtension,
      let type = schema.type(named: document[id].name.symbol)
    else { return }
    schema.roots[Int(kind.rawValue)] = Schema.RootOperation(type: type, span: nil)
  }
}

import ApolloIR

/// The struct of each selection set: its name, where it is nested, and what is nested in it.
struct Structures {
  private var paths: [[String]]
  private var nested: [[SelectionSet.ID]]

  /// Names and places every struct.
  ///
  /// - Parameters:
  ///   - program: What the structs are for.
  ///   - names: The names of definitions, and how fields and type cases are named.
  ///   - hiddenTypes: Types at the top that could not be said any more if a nested struct had their name.
  init(of program: Program, _ names: SwiftNames, keepingVisible hiddenTypes: Set<String> = []) {
    paths = Array(repeating: [], count: program.selectionSets.count)
    nested = Array(repeating: [], count: program.selectionSets.count)
    let reserved = ReservedNames.nestedTypes.union(hiddenTypes)
    for definition in program.definitions {
      let name = names.definition(definition)
      let path = definition.kind == .fragment ? [name] : [name, "Data"]
      place(definition.root, at: path, in: program, names.conversions, besides: reserved)
    }
  }

  private mutating func place(
    _ root: SelectionSet.ID, at path: [String], in program: Program, _ names: NameConversions,
    besides reserved: Set<String>
  ) {
    var pending = [(root, path)]
    while let (id, path) = pending.popLast() {
      paths[id.index] = path
      var seen: Set<SelectionSet.ID> = []
      var wishes: [UniqueNames.Wish] = []
      for selection in program[id].selections {
        guard let (child, wish) = Self.structure(of: selection, in: program, names),
          seen.insert(child).inserted
        else { continue }
        nested[id.index].append(child)
        wishes.append(wish)
      }
      for (child, name) in zip(nested[id.index], UniqueNames.assign(wishes, besides: reserved)) {
        pending.append((child, path + [name]))
      }
    }
  }

  /// What a struct would like to be called. Type cases come first, then fields whose own name it is, then those whose singular
  /// it is: beside `node`, the struct of `nodes` is called `Nodes`.
  private static func structure(
    of selection: Selection, in program: Program, _ names: NameConversions
  ) -> (SelectionSet.ID, UniqueNames.Wish)? {
    switch selection {
    case .field(let field):
      guard let child = field.child else { return nil }
      return (child, wish(for: field, names))
    case .inlineFragment(let id):
      guard case .inlineFragment(let type, let conditions) = program[id].role else { return nil }
      let name = names.structure(forTypeCase: type?.name, conditions: conditions)
      let spelled = names.structure(
        forTypeCase: type?.name, conditions: conditions, capitalizing: { $0 })
      return (id, UniqueNames.Wish(names: [name, spelled], rank: 0))
    case .fragmentSpread: return nil
    }
  }

  private static func wish(for field: Field, _ names: NameConversions) -> UniqueNames.Wish {
    let (whole, singular) = names.structure(forResponseKey: field.responseKey)
    let isOwnName = whole == singular || !field.type.isList
    let name = isOwnName ? whole : singular
    guard !ReservedNames.nestedTypes.contains(name) else {
      return UniqueNames.Wish(names: [name + "_SelectionSet"], rank: 1)
    }
    return UniqueNames.Wish(
      names: (isOwnName ? [whole] : [singular, whole]) + [whole + "_SelectionSet"],
      rank: !isOwnName ? 3 : whole == field.responseKey ? 1 : 2)
  }

  /// The full name, such as `["HeroQuery", "Data", "Hero"]`.
  func path(of id: SelectionSet.ID) -> [String] { paths[id.index] }

  func name(of id: SelectionSet.ID) -> String { paths[id.index].last ?? "" }

  /// The selection sets whose structs are nested in the struct of `id`, in order.
  func children(of id: SelectionSet.ID) -> [SelectionSet.ID] { nested[id.index] }

  func childNames(of id: SelectionSet.ID) -> Set<String> {
    Set(nested[id.index].map(name) + ["Fragments", "Schema", "RootEntityType"])
  }
}

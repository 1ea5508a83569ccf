import ApolloIR

/// The struct of each selection set: its name, where it is nested, and what is nested in it.
struct Structures {
  private var paths: [[String]]
  private var nested: [[SelectionSet.ID]]

  init(of program: Program, _ names: SwiftNames) {
    paths = Array(repeating: [], count: program.selectionSets.count)
    nested = Array(repeating: [], count: program.selectionSets.count)
    for definition in program.definitions {
      let name = names.definition(definition)
      let isFragment = definition.kind == .fragment
      place(definition.root, at: isFragment ? [name] : [name, "Data"], in: program, names)
    }
  }

  private mutating func place(
    _ root: SelectionSet.ID, at path: [String], in program: Program, _ names: SwiftNames
  ) {
    var pending = [(root, path)]
    while let (id, path) = pending.popLast() {
      paths[id.index] = path
      for selection in program[id].selections {
        guard let (child, name) = Self.structure(of: selection, in: program, names),
          !nested[id.index].contains(child)
        else { continue }
        nested[id.index].append(child)
        pending.append((child, path + [name]))
      }
    }
  }

  private static func structure(
    of selection: Selection, in program: Program, _ names: SwiftNames
  ) -> (SelectionSet.ID, String)? {
    switch selection {
    case .field(let field):
      guard let child = field.child else { return nil }
      return (
        child, names.structure(forResponseKey: field.responseKey, isList: field.type.isList)
      )
    case .inlineFragment(let id):
      guard case .inlineFragment(let type, let conditions) = program[id].role else { return nil }
      return (id, names.structure(forTypeCase: type?.name, conditions: conditions))
    case .fragmentSpread: return nil
    }
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

import ApolloIR

/// The struct of each selection set: its name, the struct around it, and the structs nested in it.
struct Structures {
  /// A name in one struct for a struct that is nested in another one.
  struct Alias {
    var name: String
    var target: SelectionSet.ID
  }

  private var paths: [[String]]
  private var nested: [[SelectionSet.ID]]
  private var aliased: [[Alias]] = []

  /// Names every struct, from the outside to the inside.
  ///
  /// 1. The root of a definition has the name of its type, or `Data` inside of an operation's type.
  /// 2. Each selection with a struct lists the names that it can have, the best first.
  /// 3. ``UniqueNames`` assigns one of them to each, within the struct around them.
  /// 4. Structs that are used and nested elsewhere get an alias, unless a struct or a property has
  ///    the name: `Friend` in `Hero` is that of a fragment that selects the friends.
  ///
  /// - Parameters:
  ///   - program: The program with the selection sets.
  ///   - names: The names of definitions, and the conversions of other names.
  ///   - hiddenTypes: Types at the top that cannot be qualified, and must not be hidden by a nested
  ///     struct.
  init(of program: Program, _ names: SwiftNames, keepingVisible hiddenTypes: Set<String> = []) {
    paths = Array(repeating: [], count: program.selectionSets.count)
    nested = Array(repeating: [], count: program.selectionSets.count)
    // Models qualify names with the namespace.
    let reserved = ReservedSwiftNames.nestedTypes.union(hiddenTypes).union([names.namespace])
    for definition in program.definitions {
      let name = names.definition(definition)
      let path = definition.kind == .fragment ? [name] : [name, "Data"]
      place(definition.root, at: path, in: program, names.conversions, besides: reserved)
    }
    aliased = program.selectionSets.indices.map {
      aliases(of: SelectionSet.ID($0), in: program, names.conversions, besides: reserved)
    }
  }

  /// Returns aliases for the structs of merged fields and of other definitions' type cases.
  ///
  /// A field that is selected only by a set around this one has its type there, and needs none.
  private func aliases(
    of id: SelectionSet.ID, in program: Program, _ names: NameConversions,
    besides reserved: Set<String>
  ) -> [Alias] {
    let fields = program[id].mergedFields.compactMap { merged in
      merged.field.child.flatMap { merged.isShared || !isVisible($0, in: id) ? $0 : nil }
    }
    let targets = (fields + program[id].cases).filter { isNestedElsewhere($0, than: id) }
    guard !targets.isEmpty else { return [] }
    var taken = Set(nested[id.index].map(name))
    var keys: [String: String] = [:]
    for key in program[id].ownFields.map(\.responseKey)
      + program[id].mergedFields.map(\.field.responseKey)
    {
      let property = names.property(key)
      taken.insert(property)
      // Of two properties with one name, one has the name of its key instead.
      if let other = keys.updateValue(key, forKey: property), other != key {
        taken.formUnion([key, other])
      }
    }
    return targets.compactMap { target in
      let name = name(of: target)
      let isFree =
        !reserved.contains(name) && !Self.memberTypes.contains(name)
        && taken.insert(name).inserted
      return isFree ? Alias(name: name, target: target) : nil
    }
  }

  private func isNestedElsewhere(_ target: SelectionSet.ID, than id: SelectionSet.ID) -> Bool {
    path(of: target).count > 1 && !path(of: target).dropLast().elementsEqual(path(of: id))
  }

  /// Returns `true` if a struct is nested in one around another.
  private func isVisible(_ target: SelectionSet.ID, in id: SelectionSet.ID) -> Bool {
    path(of: id).starts(with: path(of: target).dropLast())
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

  /// Returns the names that a selection's struct can have, the best first.
  ///
  /// Type cases come first, then fields that have exactly this name, then fields that have its
  /// plural: beside `node`, the struct of `nodes` is called `Nodes`.
  private static func structure(
    of selection: Selection, in program: Program, _ names: NameConversions
  ) -> (SelectionSet.ID, UniqueNames.Wish)? {
    switch selection {
    case .field(let field):
      guard let child = field.child else { return nil }
      return (child, wish(for: field, names))
    case .inlineFragment(let id):
      guard !program[id].isAdded,
        case .inlineFragment(let type, let conditions) = program[id].role
      else { return nil }
      if let label = program[id].deferredLabel {
        let name = NameConversions.structure(forLabel: label)
        // `slow_part` and `slowPart` on one object are `Slow_part` and `SlowPart`.
        let spelled = Casing.capitalizingFirstLetter(label)
        return (id, UniqueNames.Wish(names: [name, spelled, label], rank: 0))
      }
      let swiftType = type.map { type in
        names.typeInCase(
          type.name, suffix: SwiftNames.SchemaTypeKind(type, in: program).rawValue)
      }
      let name = names.structure(forTypeCase: swiftType, conditions: conditions)
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
    guard !ReservedSwiftNames.nestedTypes.contains(name) else {
      return UniqueNames.Wish(names: [name + "_SelectionSet"], rank: 1)
    }
    return UniqueNames.Wish(
      names: (isOwnName ? [whole] : [singular, whole]) + [whole + "_SelectionSet"],
      rank: !isOwnName ? 3 : whole == field.responseKey ? 1 : 2)
  }

  /// Returns the full name, such as `["HeroQuery", "Data", "Hero"]`.
  func path(of id: SelectionSet.ID) -> [String] { paths[id.index] }

  func name(of id: SelectionSet.ID) -> String { paths[id.index].last ?? "" }

  /// Returns the property of `fragments` that reads a deferred inline fragment, without back ticks.
  ///
  /// It is the label, with its words as they are written. It is the name of the struct instead if
  /// another struct has the name that the label gives, and for the label `self`, because
  /// `fragments.self` is `fragments`.
  func property(forDeferred id: SelectionSet.ID, in program: Program) -> String {
    let name = name(of: id)
    let property = Casing.loweringFirstLetter(name)
    guard let label = program[id].deferredLabel,
      NameConversions.structure(forLabel: label) == name
    else { return property }
    let spelled = Casing.loweringFirstLetter(label)
    return spelled == "self" ? property : spelled
  }

  /// Returns the selection sets whose structs are nested in the struct of `id`, in order.
  func children(of id: SelectionSet.ID) -> [SelectionSet.ID] { nested[id.index] }

  /// Returns the names in the struct of `id` for structs that are nested elsewhere.
  func aliases(of id: SelectionSet.ID) -> [Alias] { aliased[id.index] }

  func childNames(of id: SelectionSet.ID) -> Set<String> {
    Self.memberTypes.union(nested[id.index].map(name)).union(aliased[id.index].map(\.name))
  }

  /// Returns `true` if the struct of `id` has a type with one of the names.
  func hasType(namedIn names: Set<String>, in id: SelectionSet.ID) -> Bool {
    nested[id.index].contains { names.contains(name(of: $0)) }
      || aliased[id.index].contains { names.contains($0.name) }
      || !names.isDisjoint(with: Self.memberTypes)
  }

  private static let memberTypes: Set = ["Fragments", "Schema", "RootEntityType"]
}

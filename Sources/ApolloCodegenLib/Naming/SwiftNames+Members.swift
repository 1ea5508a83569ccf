import ApolloIR
import GraphQLSyntax

extension SwiftNames {
  /// Names the members of enums and input objects, the variables of operations and the properties
  /// of models.
  ///
  /// - Complexity: O(*n*) in the number of members.
  mutating func resolveMembers(of program: Program, _ structures: Structures) {
    for type in program.types.enums {
      let values = type.values.map { MemberToName($0.name, $0.span) }
      resolve(values, of: type.name, besides: ReservedSwiftNames.cases, conversions.enumCase)
    }
    for type in program.types.inputObjects {
      let fields = type.fields.map { MemberToName($0.name, $0.span) }
      resolve(fields, of: type.name, besides: ReservedSwiftNames.inputs, conversions.input)
    }
    let types = typesNamedBesideMembers(of: program)
    for definition in program.definitions { resolveVariables(of: definition, besides: types) }
    let roots = Set(program.definitions.filter { $0.kind == .fragment }.map(\.root))
    for index in program.selectionSets.indices where !program.selectionSets[index].isAdded {
      let id = ApolloIR.SelectionSet.ID(index)
      // The list of a fragment's leaves and fragments is a member of the same struct as its
      // properties.
      let used = roots.contains(id) ? types : [namespace, structures.path(of: id)[0]]
      resolveProperties(of: id, in: program, structures, besides: used)
    }
  }

  /// Returns the types that lists of leaves and fragments, default values and references to a
  /// definition name. A member with the same name would be used in their place.
  private func typesNamedBesideMembers(of program: Program) -> Set<String> {
    let types = program.types
    return ReservedSwiftNames.fullVocabulary
      .union(types.enums.map { schemaType($0.name, .enum) })
      .union(types.inputObjects.map { schemaType($0.name, .inputObject) })
      .union(types.scalars.map { schemaType($0.name, .scalar) })
      .union(program.definitions.map(definition))
      .union([namespace])
  }

  // MARK: - Schema

  private struct MemberToName {
    var name: String
    var span: SourceSpan?

    init(_ name: String, _ span: SourceSpan?) {
      self.name = name
      self.span = span
    }
  }

  private mutating func resolve(
    _ members: [MemberToName], of type: String, besides taken: Set<String>,
    _ convert: (String) -> String
  ) {
    let custom = customNames[type]?.members ?? [:]
    let wishes = members.map { member in
      custom[member.name].map { UniqueNames.Wish(names: [$0], rank: 0) }
        ?? Self.wish(member.name, convert(member.name))
    }
    let names = UniqueNames.assign(wishes, besides: taken)
    for (member, (wish, name)) in zip(members, zip(wishes, names)) where name != wish.names[0] {
      setMember(name, member.name, of: type)
      if wish.rank == 0 {
        reportCustomName(wish.names[0], "'\(type).\(member.name)'", at: member.span)
      } else {
        warn("'\(type).\(member.name)'", name, insteadOf: wish.names[0], .type, at: member.span)
      }
    }
  }

  /// Returns the names that a member can have: by convention, or as it is spelled in GraphQL.
  private static func wish(_ name: String, _ converted: String) -> UniqueNames.Wish {
    let spelled = NameConversions.avoidingLoneUnderscore(name)
    return UniqueNames.Wish(
      names: [converted, spelled, spelled + "_"], rank: converted == name ? 1 : 2)
  }

  // MARK: - Variables

  private mutating func resolveVariables(
    of definition: ApolloIR.Definition, besides types: Set<String>
  ) {
    guard !definition.variables.isEmpty else { return }
    let wishes = definition.variables.map { Self.wish($0.name, conversions.input($0.name)) }
    let reserved = ReservedSwiftNames.inputs.union(ReservedSwiftNames.operationTypes)
    let taken = wishes.reduce(into: reserved) { taken, wish in
      taken.formUnion(types.intersection(wish.names))
    }
    let names = UniqueNames.assign(wishes, besides: taken)
    for (variable, (wish, name)) in zip(definition.variables, zip(wishes, names))
    where name != wish.names[0] {
      setVariable(name, variable.name, of: definition)
      warn(
        "The variable '\(variable.name)'", name, insteadOf: wish.names[0], .variable,
        at: variable.span)
    }
  }

  // MARK: - Models

  private mutating func resolveProperties(
    of id: ApolloIR.SelectionSet.ID, in program: Program, _ structures: Structures,
    besides used: Set<String>
  ) {
    let cases = program[id].cases.map {
      ($0, Casing.loweringFirstLetter(structures.name(of: $0)))
    }
    let own = program[id].ownFields
    var names = Set<String>(
      minimumCapacity: cases.count + own.count + program[id].mergedFields.count)
    let areUnique =
      cases.allSatisfy { names.insert($0.1).inserted }
      && own.allSatisfy { names.insert(conversions.property($0.responseKey)).inserted }
      && program[id].mergedFields.allSatisfy {
        names.insert(conversions.property($0.field.responseKey)).inserted
      }
    // Nearly all models end here.
    if areUnique, names.isDisjoint(with: ReservedSwiftNames.properties),
      names.isDisjoint(with: used),
      !structures.hasType(namedIn: names, in: id)
    {
      return
    }
    resolveProperties(
      of: id, own + program[id].mergedFields.map(\.field), ownCount: own.count, cases,
      besides: structures.childNames(of: id).union(ReservedSwiftNames.properties).union(used))
  }

  private mutating func resolveProperties(
    of id: ApolloIR.SelectionSet.ID, _ fields: [ApolloIR.Field], ownCount: Int,
    _ cases: [(id: ApolloIR.SelectionSet.ID, name: String)],
    besides taken: Set<String>
  ) {
    let wishes =
      cases.map { UniqueNames.Wish(names: [$0.name], rank: 0) }
      + fields.map { Self.wish($0.responseKey, conversions.property($0.responseKey)) }
    let names = UniqueNames.assign(wishes, besides: taken)
    for (child, (wish, name)) in zip(cases, zip(wishes, names)) where name != wish.names[0] {
      setCaseProperty(name, child.id, in: id)
    }
    for (index, (wish, name)) in zip(wishes, names).dropFirst(cases.count).enumerated()
    where name != wish.names[0] {
      let field = fields[index]
      setProperty(name, field.responseKey, in: id)
      // A field that is merged into other models needs no second warning. One that is refused needs
      // none.
      guard index < ownCount, field.responseKey != NameRules.refusedResponseKey else { continue }
      warn(
        "The field '\(field.responseKey)'", name, insteadOf: wish.names[0], .field, at: field.span)
    }
  }

  // MARK: - Mocks

  /// Returns the properties of a mock, without back ticks. A mock has the fields of all models of
  /// its type.
  ///
  /// - Parameters:
  ///   - responseKeys: The keys of the fields.
  ///   - types: The types of the fields, as they are written.
  /// - Returns: A name for each key.
  func mockProperties(_ responseKeys: [String], types: [String]) -> [String] {
    let wishes = responseKeys.map { Self.wish($0, conversions.property($0)) }
    // Names that occur where the properties are initialized: `MockField<[Mock<Dog>]>("dogs")`.
    let used = types.flatMap { type in
      type.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }
    return UniqueNames.assign(wishes, besides: Set(["MockField", "Self", "self"] + used))
  }
}

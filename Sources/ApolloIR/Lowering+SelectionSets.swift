import GraphQLSchema
import GraphQLSyntax

extension Lowering {
  /// A source of the selections of a selection set: one selection set of the document, or several
  /// if duplicates are merged.
  enum Origin {
    case selections(GraphQLSyntax.SelectionSet)
    /// A field that was moved into a conditional fragment of its own.
    case field(GraphQLSyntax.Field.ID)
    /// A deferred fragment, inside of the fragment with its type and its other conditions.
    case deferred(GraphQLSyntax.SelectionSet, Condition)
  }

  /// Selections that become one entry, in order of first appearance.
  private enum Entry {
    case field(
      responseKey: Symbol, occurrences: [(field: GraphQLSyntax.Field.ID, conditions: [Condition])])
    case inlineFragment(TypeCondition?, [Condition], [Origin])
    case spread(FragmentSpread)
  }

  private enum EntryKey: Hashable {
    case field(Symbol)
    case inlineFragment(TypeCondition?, [Condition])
    case spread(FragmentSpread)
  }

  /// Entries by key, in order.
  private struct Entries {
    var list: [Entry] = []
    var positions: [EntryKey: Int] = [:]

    /// Returns the occurrences of a field in the document.
    func occurrences(of responseKey: Symbol) -> [GraphQLSyntax.Field.ID] {
      guard let position = positions[.field(responseKey)],
        case .field(_, let occurrences) = list[position]
      else { return [] }
      return occurrences.map(\.field)
    }

    mutating func append(_ entry: Entry, _ key: EntryKey) {
      positions[key] = list.count
      list.append(entry)
    }
  }

  /// Adds a copy of `template` with the selections of `origins`, and all selection sets inside of
  /// it.
  ///
  /// 1. The selections of all origins are grouped by response key, type condition and spread.
  ///    Inline fragments that change nothing are folded into their parents.
  /// 2. Object fields with differing conditions are moved into fragments of their own.
  /// 3. `__typename` and the key fields of the type come first.
  /// 4. Each group becomes one selection. Its child selection sets are added in the same way.
  mutating func lower(_ origins: [Origin], _ template: SelectionSet) -> SelectionSet.ID {
    let id = SelectionSet.ID(program.selectionSets.count)
    program.selectionSets.append(template)
    var entries = Entries()
    for origin in origins {
      switch origin {
      case .selections(let set): collect(set, in: template, &entries)
      case .field(let field): collect(field, in: template, &entries)
      case .deferred(let set, let condition):
        add(.selections(set), nil, [condition], &entries)
      }
    }
    separateConditionalObjects(&entries)
    let implicit = implicitFields(of: template)
    var selections = implicit.map { selection in
      guard case .field(var field) = selection else { return selection }
      field.maxAge = maxAge(ofImplicit: field, entries)
      return .field(field)
    }
    let added = Set(implicit.compactMap(\.responseKey))
    for entry in entries.list {
      switch entry {
      case .field(let key, let occurrences):
        let name = document.spelling(key)
        if name == "__typename" || added.contains(name) {
          recordHiddenFields(occurrences.map(\.field), name, template)
        }
        guard !added.contains(name) else { continue }
        selections += lowerField(occurrences, in: template, id)
      case .inlineFragment(let type, let conditions, let origins):
        selections.append(
          .inlineFragment(lowerInlineFragment(type, conditions, origins, template, id)))
      case .spread(let spread):
        if !spreadFragments.contains(spread.fragment) { spreadFragments.append(spread.fragment) }
        selections.append(.fragmentSpread(spread))
      }
    }
    program[id].selections = selections
    return id
  }

  /// Records the fields with a response key that belongs to an added field.
  private mutating func recordHiddenFields(
    _ occurrences: [GraphQLSyntax.Field.ID], _ name: String, _ template: SelectionSet
  ) {
    for field in occurrences.map({ document[$0] })
    where document.spelling(field.name) != name || !field.arguments.isEmpty {
      program.hiddenFields.append(
        HiddenField(
          responseKey: name, parentTypeName: template.parentTypeName,
          span: field.alias?.span ?? field.name.span))
    }
  }

  // MARK: - Collecting

  private mutating func collect(
    _ set: GraphQLSyntax.SelectionSet, in template: SelectionSet, _ entries: inout Entries
  ) {
    for selection in document[set.selections] {
      switch selection {
      case .field(let id): collect(id, in: template, &entries)
      case .inlineFragment(let id): collect(document[id], in: template, &entries)
      case .fragmentSpread(let id):
        let spread = document[id]
        guard let fragment = fragment(named: spread.name.symbol),
          var conditions = document.inclusion(
            spread.directives, given: template.fulfilledConditions
          ).conditions
        else { continue }
        if let deferral = document.deferral(spread.directives) {
          program[template.definition].isDeferred = true
          let label = deferral.label ?? document.spelling(spread.name)
          conditions.append(.defer(label: label, variable: deferral.variable))
        }
        let lowered = FragmentSpread(fragment: fragment, conditions: conditions)
        let key = EntryKey.spread(lowered)
        if entries.positions[key] == nil { entries.append(.spread(lowered), key) }
      }
    }
  }

  private func collect(
    _ id: GraphQLSyntax.Field.ID, in template: SelectionSet, _ entries: inout Entries
  ) {
    let field = document[id]
    guard
      let conditions = document.inclusion(field.directives, given: template.fulfilledConditions)
        .conditions
    else { return }
    let key = EntryKey.field(field.responseName)
    guard let position = entries.positions[key],
      case .field(let name, var occurrences) = entries.list[position]
    else {
      return entries.append(
        .field(responseKey: field.responseName, occurrences: [(id, conditions)]), key)
    }
    occurrences.append((id, conditions))
    entries.list[position] = .field(responseKey: name, occurrences: occurrences)
  }

  private mutating func collect(
    _ fragment: GraphQLSyntax.InlineFragment, in template: SelectionSet, _ entries: inout Entries
  ) {
    guard
      let conditions = document.inclusion(
        fragment.directives, given: template.fulfilledConditions
      ).conditions
    else { return }
    var type: TypeCondition?
    if let condition = fragment.typeCondition, let id = schema.type(named: condition.symbol),
      !schema.isSame(template.parentType, orNarrowerThan: id)
    {
      type = TypeCondition(type: id, name: schema.name(of: id))
    }
    guard let deferral = document.deferral(fragment.directives) else {
      if type == nil, conditions.isEmpty {
        return collect(fragment.selectionSet, in: template, &entries)
      }
      return add(.selections(fragment.selectionSet), type, conditions, &entries)
    }
    program[template.definition].isDeferred = true
    let condition = Condition.defer(
      label: deferral.label ?? Deferral.defaultLabel, variable: deferral.variable)
    if type == nil, conditions.isEmpty {
      add(.selections(fragment.selectionSet), nil, [condition], &entries)
    } else {
      add(.deferred(fragment.selectionSet, condition), type, conditions, &entries)
    }
  }

  private func add(
    _ origin: Origin, _ type: TypeCondition?, _ conditions: [Condition], _ entries: inout Entries
  ) {
    let key = EntryKey.inlineFragment(type, conditions)
    guard let position = entries.positions[key],
      case .inlineFragment(_, _, let origins) = entries.list[position]
    else { return entries.append(.inlineFragment(type, conditions, [origin]), key) }
    entries.list[position] = .inlineFragment(type, conditions, origins + [origin])
  }

  /// Moves conditional occurrences of an object field into fragments of their own, if other
  /// occurrences have other conditions.
  ///
  /// The selections of each are present under different conditions, so that one struct cannot
  /// represent them.
  private func separateConditionalObjects(_ entries: inout Entries) {
    for position in entries.list.indices {
      guard case .field(let key, let occurrences) = entries.list[position],
        Set(occurrences.map(\.conditions)).count > 1,
        document[occurrences[0].field].selectionSet != nil
      else { continue }
      let kept = occurrences.filter(\.conditions.isEmpty)
      entries.list[position] = .field(responseKey: key, occurrences: kept)
      for occurrence in occurrences where !occurrence.conditions.isEmpty {
        add(.field(occurrence.field), nil, occurrence.conditions, &entries)
      }
    }
  }

  // MARK: - Fields

  /// Returns `__typename` and the key fields, which are added to every object.
  private func implicitFields(of template: SelectionSet) -> [Selection] {
    let names: [String]
    switch template.role {
    case .root:
      names =
        program[template.definition].kind == .fragment
        ? schema.implicitFields(of: template.parentType) : []
    case .field: names = schema.implicitFields(of: template.parentType)
    case .inlineFragment:
      let known = template.parent.map { schema.implicitFields(of: program[$0].parentType) } ?? []
      names = schema.keyFields(of: template.parentType).filter { !known.contains($0) }
    }
    return names.compactMap { name in
      schema.selection(ofFieldNamed: name, on: template.parentType).map(Selection.field)
    }
  }

  /// Lowers the occurrences of a field.
  ///
  /// There is one entry if the conditions agree, or if one occurrence has none. Otherwise there is
  /// one entry for each; a response contains some of them.
  private mutating func lowerField(
    _ occurrences: [(field: GraphQLSyntax.Field.ID, conditions: [Condition])],
    in template: SelectionSet, _ parent: SelectionSet.ID
  ) -> [Selection] {
    guard let first = occurrences.first else { return [] }
    var conditionSets: [[Condition]] = []
    for occurrence in occurrences where !conditionSets.contains(occurrence.conditions) {
      conditionSets.append(occurrence.conditions)
    }
    if conditionSets.contains([]) { conditionSets = [[]] }
    let field = document[first.field]
    guard var lowered = schema.field(field, on: template.parentType, in: document) else {
      return []
    }
    lowered.maxAge = maxAge(of: occurrences.map(\.field))
    if let composite = schema.compositeType(of: field, on: template.parentType) {
      let conditions = conditionSets.first ?? []
      lowered.child = lower(
        occurrences.compactMap { document[$0.field].selectionSet.map(Origin.selections) },
        SelectionSet(
          definition: template.definition, parent: parent,
          role: .field(responseKey: lowered.responseKey), parentType: composite,
          parentTypeName: schema.name(of: composite),
          fulfilledConditions: template.fulfilledConditions.union(conditions), isSynthesized: false)
      )
    }
    return conditionSets.map { conditions in
      var field = lowered
      field.conditions = conditions
      return .field(field)
    }
  }

  /// Returns the maximum age that the document gives a field that is added to every object.
  private mutating func maxAge(ofImplicit field: Field, _ entries: Entries) -> MaxAgeRule? {
    guard let key = schema.schema.names.symbol(for: field.responseKey) else { return nil }
    return maxAge(of: entries.occurrences(of: key))
  }

  /// Returns the strictest maximum age of the occurrences of a field.
  private mutating func maxAge(of occurrences: [GraphQLSyntax.Field.ID]) -> MaxAgeRule? {
    var strictest: MaxAgeRule?
    for field in occurrences {
      guard let maxAge = schema.maxAge(document[field].directives, in: document) else { continue }
      strictest = strictest?.stricter(maxAge) ?? maxAge
      program.hasMaxAges = true
    }
    return strictest
  }

  private mutating func lowerInlineFragment(
    _ type: TypeCondition?, _ conditions: [Condition], _ origins: [Origin],
    _ template: SelectionSet, _ parent: SelectionSet.ID
  ) -> SelectionSet.ID {
    lower(
      origins,
      SelectionSet(
        definition: template.definition, parent: parent,
        role: .inlineFragment(typeCondition: type, conditions: conditions),
        parentType: type?.type ?? template.parentType,
        parentTypeName: type?.name ?? template.parentTypeName,
        fulfilledConditions: template.fulfilledConditions.union(conditions), isSynthesized: false))
  }
}

extension Selection {
  /// The key of a field, or `nil` for any other entry.
  var responseKey: String? { if case .field(let field) = self { field.responseKey } else { nil } }
}

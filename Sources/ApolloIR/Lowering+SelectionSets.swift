import GraphQLSchema
import GraphQLSyntax

extension Lowering {
  /// A source of the selections of a selection set: one selection set of the document, or several
  /// if duplicates are merged.
  ///
  /// Its type is the one that the document makes the selections on. The selection set that they
  /// become a part of can have another one: in `... on Pet { ... on Animal { height } }` inside of
  /// an animal, the inner fragment is a part of the outer one.
  struct Origin {
    enum Content {
      case selections(GraphQLSyntax.SelectionSet)
      /// A field that was moved into a conditional fragment of its own.
      case field(GraphQLSyntax.Field.ID)
      /// Selections inside of an inline fragment with conditions.
      case conditional(GraphQLSyntax.SelectionSet, [Condition])
      /// Nothing but the key fields of the type.
      case keys
    }

    var content: Content
    var type: Schema.NamedType.ID
    /// The beginning of the inline fragment, if the selections are those of one.
    var fragmentSpan: SourceSpan?
    /// The type around the inline fragment, if its type condition has become a selection set around
    /// these selections.
    var outerType: Schema.NamedType.ID?

    /// `true` for selections that become a fragment of their own, with their key fields.
    var isConditional: Bool { if case .conditional = content { true } else { false } }
  }

  /// A field of the document.
  private struct Occurrence {
    var field: GraphQLSyntax.Field.ID
    var conditions: [Condition]
    /// The type that it is selected on.
    var type: Schema.NamedType.ID
  }

  /// Selections that become one entry, in order of first appearance.
  private enum Entry {
    case field(responseKey: Symbol, occurrences: [Occurrence])
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
      switch origin.content {
      case .selections(let set): collect(set, on: origin.type, in: template, &entries)
      case .field(let field): collect(field, on: origin.type, in: template, &entries)
      case .conditional(let set, let conditions):
        var conditional = Origin(content: .selections(set), type: origin.type)
        if case .inlineFragment = template.role {
          conditional.outerType = template.parent.map { program[$0].parentType }
        }
        add(conditional, nil, conditions, &entries)
      case .keys: continue
      }
    }
    addKeysOfObjects(of: template, origins, &entries)
    separateConditionalObjects(&entries)
    let implicit = implicitFields(of: template, origins, entries)
    var selections = implicit.map { selection in
      guard case .field(var field) = selection else { return selection }
      let written = occurrences(ofImplicit: field, entries)
      field.maxAge = maxAge(of: written)
      field.nullability = nullability(of: field, written, on: template.parentType, template)
      return .field(field)
    }
    let added = implicit.compactMap(\.responseKey)
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
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID, in template: SelectionSet,
    _ entries: inout Entries
  ) {
    for selection in document[set.selections] {
      switch selection {
      case .field(let id): collect(id, on: type, in: template, &entries)
      case .inlineFragment(let id): collect(document[id], on: type, in: template, &entries)
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
    _ id: GraphQLSyntax.Field.ID, on type: Schema.NamedType.ID, in template: SelectionSet,
    _ entries: inout Entries
  ) {
    let field = document[id]
    guard
      let conditions = document.inclusion(field.directives, given: template.fulfilledConditions)
        .conditions
    else { return }
    let key = EntryKey.field(field.responseName)
    let occurrence = Occurrence(field: id, conditions: conditions, type: type)
    guard let position = entries.positions[key],
      case .field(let name, var occurrences) = entries.list[position]
    else {
      return entries.append(
        .field(responseKey: field.responseName, occurrences: [occurrence]), key)
    }
    occurrences.append(occurrence)
    entries.list[position] = .field(responseKey: name, occurrences: occurrences)
  }

  /// Collects an inline fragment, or its selections if it does not narrow the objects. `outer` is
  /// the type around it.
  private mutating func collect(
    _ fragment: GraphQLSyntax.InlineFragment, on outer: Schema.NamedType.ID,
    in template: SelectionSet, _ entries: inout Entries
  ) {
    guard
      let conditions = document.inclusion(
        fragment.directives, given: template.fulfilledConditions
      ).conditions
    else { return }
    var type: TypeCondition?
    var inner = outer
    if let condition = fragment.typeCondition, let id = schema.type(named: condition.symbol) {
      // Fields are looked up on the narrowest type that has them.
      if !schema.isSame(outer, orNarrowerThan: id) { inner = id }
      if inner == id, !program.isCertain(id, in: template) {
        type = TypeCondition(type: id, name: schema.name(of: id))
      }
    }
    guard let deferral = document.deferral(fragment.directives) else {
      if type == nil, conditions.isEmpty {
        return collect(fragment.selectionSet, on: inner, in: template, &entries)
      }
      let selections = Origin(
        content: .selections(fragment.selectionSet), type: inner, fragmentSpan: fragment.start)
      return add(selections, type, conditions, &entries)
    }
    program[template.definition].isDeferred = true
    let condition = Condition.defer(
      label: deferral.label ?? Deferral.defaultLabel, variable: deferral.variable)
    if type == nil, conditions.isEmpty {
      let selections = Origin(
        content: .selections(fragment.selectionSet), type: inner, fragmentSpan: fragment.start)
      add(selections, nil, [condition], &entries)
    } else {
      let deferred = Origin(
        content: .conditional(fragment.selectionSet, [condition]), type: inner,
        fragmentSpan: fragment.start)
      add(deferred, type, conditions, &entries)
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

  /// Moves occurrences of an object field into fragments of their own, if all of them depend on
  /// conditions, and these differ.
  ///
  /// The selections of each are present under different conditions, so that one struct cannot
  /// represent them. If the field is selected without a condition too, the conditions become those
  /// of its selections.
  private func separateConditionalObjects(_ entries: inout Entries) {
    for position in entries.list.indices {
      guard case .field(let key, let occurrences) = entries.list[position],
        !occurrences.allSatisfy({ $0.conditions.isReordering(of: occurrences[0].conditions) }),
        document[occurrences[0].field].selectionSet != nil,
        !occurrences.contains(where: \.conditions.isEmpty)
      else { continue }
      entries.list[position] = .field(responseKey: key, occurrences: [])
      for occurrence in occurrences {
        let field = Origin(content: .field(occurrence.field), type: occurrence.type)
        add(field, nil, occurrence.conditions, &entries)
      }
    }
  }

  // MARK: - Fields

  /// Returns `__typename` and the key fields, which are added to every object but those at the root
  /// of an operation.
  ///
  /// A response has the key fields of a deferred fragment only when that arrives, so they belong to
  /// the selections of the fragment and not to the set that stands for its type condition.
  private func implicitFields(
    of template: SelectionSet, _ origins: [Origin], _ entries: Entries
  ) -> [Selection] {
    let fields: [AddedField]
    switch template.role {
    case .root:
      fields =
        program[template.definition].kind == .fragment
        ? schema.implicitFields(ofFragmentOn: template.parentType) : []
    case .field: fields = schema.implicitFields(of: template.parentType)
    case .inlineFragment:
      guard !origins.allSatisfy(\.isConditional) else { return [] }
      let outer =
        origins.lazy.compactMap(\.outerType).first
        ?? template.parent.map { program[$0].parentType }
      fields =
        outer.map { schema.addedKeyFields(ofFragmentOn: template.parentType, in: $0) }
        ?? schema.addedKeyFields(of: template.parentType)
    }
    return fields.filter { !$0.isOfObjects || !isSelected($0.name, entries) }.compactMap { added in
      var field = schema.selection(ofFieldNamed: added.name, on: template.parentType)
      field?.responseKey = added.responseKey
      return field.map(Selection.field)
    }
  }

  /// Returns whether the source selects a field without an alias, arguments and conditions.
  private func isSelected(_ name: String, _ entries: Entries) -> Bool {
    guard let symbol = document.names.symbol(for: name),
      let position = entries.positions[.field(symbol)],
      case .field(_, let occurrences) = entries.list[position]
    else { return false }
    return occurrences.contains { occurrence in
      let field = document[occurrence.field]
      return occurrence.conditions.isEmpty && field.name.symbol == symbol
        && field.arguments.isEmpty
    }
  }

  /// Adds an inline fragment for each object type whose key fields the interface lacks, if fields
  /// of the objects are selected.
  private func addKeysOfObjects(
    of template: SelectionSet, _ origins: [Origin], _ entries: inout Entries
  ) {
    let objects = schema.typesWithOwnKeys(in: template.parentType, inside: template.outerTypes)
    guard !objects.isEmpty, selectsFields(origins, entries) else { return }
    for object in objects {
      let type = TypeCondition(type: object, name: schema.name(of: object))
      if let position = entries.positions[.inlineFragment(type, [])],
        case .inlineFragment(_, _, let written) = entries.list[position],
        !written.allSatisfy(\.isConditional)
      {
        continue
      }
      add(Origin(content: .keys, type: object), type, [], &entries)
    }
  }

  /// Returns whether fields besides `__typename` are selected, in the set itself or in an inline
  /// fragment that is folded into it. Selections under conditions have key fields of their own.
  private func selectsFields(_ origins: [Origin], _ entries: Entries) -> Bool {
    let isWritten = origins.contains { origin in
      guard case .selections(let set) = origin.content else { return false }
      return document.selectsFields(document[set.selections])
    }
    return isWritten
      || entries.list.contains { entry in
        guard case .field(_, let occurrences) = entry else { return false }
        return occurrences.contains {
          document.spelling(document[$0.field].name) != "__typename"
        }
      }
  }

  /// Lowers the occurrences of a field.
  ///
  /// There is one entry if the conditions agree, or if one occurrence has none. Otherwise there is
  /// one entry for each; a response contains some of them.
  private mutating func lowerField(
    _ occurrences: [Occurrence], in template: SelectionSet, _ parent: SelectionSet.ID
  ) -> [Selection] {
    guard let first = occurrences.first else { return [] }
    var conditionSets: [[Condition]] = []
    for occurrence in occurrences
    where !conditionSets.contains(where: occurrence.conditions.isReordering) {
      conditionSets.append(occurrence.conditions)
    }
    if conditionSets.contains([]) { conditionSets = [[]] }
    let field = document[first.field]
    guard var lowered = schema.field(field, on: first.type, in: document) else { return [] }
    lowered.maxAge = maxAge(of: occurrences.map(\.field))
    lowered.connection = connection(of: occurrences.map(\.field))
    lowered.nullability = nullability(
      of: lowered, occurrences.map(\.field), on: first.type, template)
    let type = schema.compositeType(of: field, on: first.type)
    if let composite = type {
      let conditions = conditionSets.first ?? []
      let origins = occurrences.compactMap { origin(of: $0, given: conditions) }
      lowered.child = lower(
        origins,
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
      field.listEdits = listEdits(of: occurrences, on: type, given: conditions)
      return .field(field)
    }
  }

  /// Returns the directives that change lists, of those occurrences of a field that one entry with
  /// these conditions stands for.
  private func listEdits(
    of occurrences: [Occurrence], on type: Schema.NamedType.ID?, given conditions: [Condition]
  ) -> [FieldListEdit] {
    occurrences.filter {
      conditions.isEmpty || $0.conditions.isReordering(of: conditions)
    }.flatMap { occurrence in
      schema.listEdits(document[occurrence.field].directives, on: type, in: document).map { edit in
        var edit = edit
        edit.conditions = occurrence.conditions.filter { !conditions.contains($0) }
        return edit
      }
    }
  }

  /// Returns the fields of the document whose places a field takes that is added to every object.
  private func occurrences(
    ofImplicit field: Field, _ entries: Entries
  ) -> [GraphQLSyntax.Field.ID] {
    guard let key = schema.schema.names.symbol(for: field.responseKey) else { return [] }
    return entries.occurrences(of: key)
  }

  /// Returns the treatment of a field's nulls and errors.
  private func nullability(
    of field: Field, _ occurrences: [GraphQLSyntax.Field.ID], on type: Schema.NamedType.ID,
    _ template: SelectionSet
  ) -> FieldNullability? {
    field.definition.flatMap {
      schema.nullability.nullability(
        of: occurrences, $0, on: type, program[template.definition].nullability, in: document)
    }
  }

  /// Returns the first `@connection` of the occurrences of a field.
  private func connection(of occurrences: [GraphQLSyntax.Field.ID]) -> ConnectionDirective? {
    for field in occurrences {
      let connection = schema.connection(document[field].directives, in: document)
      if let connection { return connection }
    }
    return nil
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

  /// Returns the selections of an object field, with the conditions that do not hold wherever the
  /// field is present.
  private func origin(of occurrence: Occurrence, given conditions: [Condition]) -> Origin? {
    let field = document[occurrence.field]
    guard let set = field.selectionSet,
      let type = schema.compositeType(of: field, on: occurrence.type)
    else { return nil }
    let isCertain = occurrence.conditions.allSatisfy(conditions.contains)
    return Origin(
      content: isCertain ? .selections(set) : .conditional(set, occurrence.conditions), type: type)
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
        outerTypes: template.typesAround(type),
        fulfilledConditions: template.fulfilledConditions.union(conditions), isSynthesized: false,
        isAdded: origins.allSatisfy { if case .keys = $0.content { true } else { false } },
        fragmentSpan: origins.lazy.compactMap(\.fragmentSpan).first))
  }
}

extension GraphQLSyntax.InlineFragment {
  /// The dots.
  fileprivate var start: SourceSpan { SourceSpan(start: span.start, end: span.start + 3) }
}

extension Selection {
  /// The key of a field, or `nil` for any other entry.
  var responseKey: String? { if case .field(let field) = self { field.responseKey } else { nil } }
}

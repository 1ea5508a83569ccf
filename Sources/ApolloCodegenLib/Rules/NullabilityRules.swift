import ApolloIR
import GraphQLSchema
import GraphQLSyntax

/// Rules for the nullability directives of operations and fragments: what they ask for is possible,
/// and one property has one treatment.
struct NullabilityRules: GenerationRule {
  static let rule: Diagnostic.Rule = "Nullability"

  /// Fields that belong to one object, and the type that they are selected on.
  private struct Part {
    var set: GraphQLSyntax.SelectionSet
    var type: Schema.NamedType.ID?
    /// `true` if the schema lets the object be null. The data of an operation can be.
    var canBeNull = true
  }

  /// A selection of a field, with the treatment that its directives ask for. Of the selections on
  /// one type with one treatment, the first.
  private struct Occurrence {
    var field: GraphQLSyntax.Field
    var type: Schema.NamedType.ID?
    var treatment: [Int: String]
  }

  private let document: Document
  private let schema: Schema
  private let nullability: Nullability
  private var diagnostics: [Diagnostic] = []
  /// `true` in a local cache mutation, and in a fragment that one uses: their properties can be
  /// set.
  private var isMutable = false
  private var isFragment = false

  static func diagnostics(_ subject: ClientDocument) -> [Diagnostic] {
    let (document, schema) = (subject.document, subject.schema)
    guard !document.directives.isEmpty else { return [] }
    let nullability = Nullability(of: schema)
    guard document.directives.contains(where: { nullability[$0] != nil }) else { return [] }
    var rules = NullabilityRules(document, schema, nullability)
    let mutableFragments = rules.fragmentsOfLocalCacheMutations()
    for definition in document.definitions {
      switch definition {
      case .operation(let id):
        let operation = document[id]
        rules.isMutable = rules.isLocalCacheMutation(operation.directives)
        rules.isFragment = false
        rules.check(
          operation.directives, operation.selectionSet, on: schema.rootType(operation.kind))
      case .fragment(let id):
        let fragment = document[id]
        rules.isMutable = mutableFragments.contains(fragment.name.symbol)
        rules.isFragment = true
        rules.check(
          fragment.directives, fragment.selectionSet,
          on: schema.type(named: fragment.typeCondition.symbol))
      case .schema, .type, .directive: continue
      }
    }
    return rules.diagnostics
  }

  private init(_ document: Document, _ schema: Schema, _ nullability: Nullability) {
    self.document = document
    self.schema = schema
    self.nullability = nullability
  }

  // MARK: - Definitions

  private mutating func check(
    _ directives: Directive.List, _ selections: GraphQLSyntax.SelectionSet,
    on type: Schema.NamedType.ID?
  ) {
    let directives = document[directives]
    let byDefault = directives.first { nullability[$0] == .catchByDefault }
    if let byDefault {
      checkTreatment(of: byDefault)
      if directives.contains(where: { nullability[$0] == .throwOnFieldError }) {
        report(
          "\(name(byDefault)) and '@throwOnFieldError' ask for different treatments of the same "
            + "errors. Remove one of them.", at: byDefault.span, removing: byDefault)
      }
    }
    var objects = [[Part(set: selections, type: type)]]
    while let parts = objects.popLast() { objects += check(parts).reversed() }
  }

  private func isLocalCacheMutation(_ directives: Directive.List) -> Bool {
    document[directives].contains {
      document.spelling($0.name) == ClientDirective.localCacheMutation
    }
  }

  /// Returns the names of the fragments that are local cache mutations, or that one uses.
  private func fragmentsOfLocalCacheMutations() -> Set<Symbol> {
    var spreads: [Symbol: [Symbol]] = [:]
    var pending: [Symbol] = []
    for definition in document.definitions {
      switch definition {
      case .operation(let id) where isLocalCacheMutation(document[id].directives):
        pending += self.spreads(in: document[id].selectionSet)
      case .fragment(let id):
        let fragment = document[id]
        spreads[fragment.name.symbol] = self.spreads(in: fragment.selectionSet)
        if isLocalCacheMutation(fragment.directives) { pending.append(fragment.name.symbol) }
      default: continue
      }
    }
    var found: Set<Symbol> = []
    while let name = pending.popLast() {
      if found.insert(name).inserted { pending += spreads[name] ?? [] }
    }
    return found
  }

  private func spreads(in set: GraphQLSyntax.SelectionSet) -> [Symbol] {
    document[set.selections].flatMap { selection in
      switch selection {
      case .fragmentSpread(let id): [document[id].name.symbol]
      case .inlineFragment(let id): spreads(in: document[id].selectionSet)
      case .field(let id): document[id].selectionSet.map { spreads(in: $0) } ?? []
      }
    }
  }

  // MARK: - Objects

  /// Checks the fields of one object. Returns those of the objects inside of it.
  private mutating func check(_ parts: [Part]) -> [[Part]] {
    var fields: [Symbol: [Occurrence]] = [:]
    var positions: [Symbol: Int] = [:]
    var children: [[Part]] = []
    var pending = Array(parts.reversed())
    while let part = pending.popLast() {
      var inner: [Part] = []
      for selection in document[part.set.selections] {
        switch selection {
        case .fragmentSpread: continue
        case .inlineFragment(let id):
          let fragment = document[id]
          let type = fragment.typeCondition.flatMap { schema.type(named: $0.symbol) } ?? part.type
          inner.append(
            Part(set: fragment.selectionSet, type: type, canBeNull: part.canBeNull))
        case .field(let id):
          let field = document[id]
          let definition = part.type.flatMap { schema.field(field.name.symbol, of: $0) }
          check(field, definition.map { schema[$0].type }, in: part)
          compare(field, on: part.type, with: &fields[field.responseName, default: []])
          guard let set = field.selectionSet else { continue }
          let child = Part(
            set: set, type: definition.map { schema[$0].type.namedType },
            canBeNull: definition.map { !schema[$0].type.wrapping.isNonNullInside } ?? true)
          if let position = positions[field.responseName] {
            children[position].append(child)
          } else {
            positions[field.responseName] = children.count
            children.append([child])
          }
        }
      }
      pending += inner.reversed()
    }
    return children
  }

  /// Compares the treatment of a field with those of the same field, selected before, and adds it
  /// to them.
  private mutating func compare(
    _ field: GraphQLSyntax.Field, on type: Schema.NamedType.ID?, with others: inout [Occurrence]
  ) {
    let treatment = treatment(of: field)
    guard !others.contains(where: { $0.type == type && $0.treatment == treatment }) else { return }
    defer { others.append(Occurrence(field: field, type: type, treatment: treatment)) }
    guard
      let other = others.last(where: {
        $0.treatment != treatment && ($0.type == type || !isObject($0.type) || !isObject(type))
      })
    else { return }
    diagnostics.append(
      Diagnostic(
        rule: Self.rule,
        message: "'\(document.spelling(field.responseName))' is selected twice with different "
          + "treatments of errors. Write the same '@\(nullability.names[.catching])' for both, or "
          + "an alias.",
        at: field.alias?.span ?? field.name.span,
        notes: [
          Diagnostic.Note(
            "selected here before", at: other.field.alias?.span ?? other.field.name.span)
        ]))
  }

  private func isObject(_ type: Schema.NamedType.ID?) -> Bool {
    type.map { schema[$0].kind == .object } ?? false
  }

  /// The treatments that the directives of a field ask for, by level; −1 for `@required`.
  private func treatment(of field: GraphQLSyntax.Field) -> [Int: String] {
    var treatments: [Int: String] = [:]
    for directive in document[field.directives] {
      switch nullability[directive] {
      case .required:
        treatments[-1] = Nullability.action(of: directive, in: document)?.rawValue ?? ""
      case .catching:
        for level in Nullability.levels(of: directive, in: document) {
          treatments[level] =
            Nullability.treatment(of: directive, in: document)?.rawValue ?? ""
        }
      default: continue
      }
    }
    return treatments
  }

  // MARK: - Fields

  private mutating func check(
    _ field: GraphQLSyntax.Field, _ type: ResolvedType?, in part: Part
  ) {
    for directive in document[field.directives] {
      switch nullability[directive] {
      case .catching: checkCatch(directive, on: field, type)
      case .required: checkRequired(directive, on: field, type, in: part)
      default: continue
      }
    }
  }

  private mutating func checkCatch(
    _ directive: Directive, on field: GraphQLSyntax.Field, _ type: ResolvedType?
  ) {
    checkTreatment(of: directive)
    let field =
      document.spelling(field.responseName) == "__typename"
      ? "__typename" : document.spelling(field.name)
    guard let type, field != "__typename" else {
      if field == "__typename" {
        report(
          "'__typename' never fails. Remove \(name(directive)).", at: directive.span,
          removing: directive)
      }
      return
    }
    diagnostics += LevelRules.problems(
      with: directive, of: field, Int(type.wrapping.listDepth), in: document)
    let treatment = Nullability.treatment(of: directive, in: document)
    guard isMutable else { return }
    if treatment == .result || treatment == .throwing {
      report(
        "'\(field)' is a field of a local cache mutation, which can be set, so it is 'nil' where it "
          + "has an error. Remove \(name(directive)).", at: directive.span, removing: directive)
    } else if isNeverNull(type, atAnyOf: Nullability.levels(of: directive, in: document)) {
      report(
        "'\(field)' is a field of a local cache mutation, which cannot be set to 'nil', as the "
          + "schema rules that out. Remove \(name(directive)).", at: directive.span,
        removing: directive)
    }
  }

  private func isNeverNull(_ type: ResolvedType, atAnyOf levels: [Int]) -> Bool {
    var wrapping: TypeWrapping? = type.wrapping
    var level = 0
    while let current = wrapping {
      if current.isNonNull, levels.contains(level) { return true }
      wrapping = current.nullable.item
      level += 1
    }
    return false
  }

  private mutating func checkRequired(
    _ directive: Directive, on field: GraphQLSyntax.Field, _ type: ResolvedType?, in part: Part
  ) {
    let spelling = document.spelling(field.name)
    if let type, type.isNonNull {
      report(
        "'\(spelling)' is never null. Remove \(name(directive)).", at: directive.span,
        removing: directive)
    }
    let catches = document[field.directives].contains {
      nullability[$0] == .catching && Nullability.levels(of: $0, in: document).contains(0)
    }
    let throwing = Nullability.action(of: directive, in: document) == .throwing
    if catches {
      report(
        "\(name(directive)) \(throwing ? "throws" : "decides about") what the '@\(nullability.names[.catching])' of '\(spelling)' "
          + "handles. Remove one of them.", at: directive.span, removing: directive)
    } else if isMutable {
      report(
        "'\(spelling)' is a field of a local cache mutation, which can be set to 'nil'. Remove "
          + "\(name(directive)).", at: directive.span, removing: directive)
    }
    checkAction(of: directive, on: spelling, in: part)
  }

  /// Checks that the object around the field can become null, if the action asks for that.
  private mutating func checkAction(of directive: Directive, on field: String, in part: Part) {
    let argument = document[directive.arguments].first {
      document.spelling($0.name) == "action"
    }
    guard let argument else { return }
    let reason: String
    switch Nullability.action(of: directive, in: document) {
    case .throwing: return
    case .silent? where isFragment, .logged? where isFragment:
      reason = "makes the object around it null, which belongs to the operations with the fragment"
    case .silent? where !part.canBeNull, .logged? where !part.canBeNull:
      reason = "makes the object around it null, which the schema rules out"
    case .silent?, .logged?: return
    case nil: reason = "has a variable as its action, but the property needs one type"
    }
    diagnostics.append(
      Diagnostic(
        rule: Self.rule,
        message: "\(name(directive)) of '\(field)' \(reason). Write 'action: THROW'.",
        at: argument.value.span,
        fixIts: [.init("replace with 'THROW'", replacing: argument.value.span, with: "THROW")]))
  }

  /// Checks that no argument is a variable. Values of other types are errors already.
  private mutating func checkTreatment(of directive: Directive) {
    for argument in document[directive.arguments] {
      let isTreatment = document.spelling(argument.name) == "to"
      for value in document.valueOrItems(of: argument.value) {
        guard case .variable = value.content else { continue }
        report(
          "\(name(directive)) has a variable as \(isTreatment ? "its treatment" : "a level"), but "
            + "the property needs one type. Write "
            + "\(isTreatment ? "'RESULT', 'NULL' or 'THROW'" : "numbers").", at: value.span)
      }
    }
  }

  // MARK: - Reports

  private func name(_ directive: Directive) -> String { "'@\(document.spelling(directive.name))'" }

  private mutating func report(
    _ message: String, at span: SourceSpan, removing directive: Directive? = nil
  ) {
    let fixIts = directive.map {
      [Diagnostic.FixIt("remove \(name($0))", replacing: $0.span, with: "")]
    }
    diagnostics.append(
      Diagnostic(rule: Self.rule, message: message, at: span, fixIts: fixIts ?? []))
  }
}

/// The rule that the levels of a directive are those of the field's lists.
enum LevelRules {
  static func problems(
    with directive: Directive, of field: String, _ depth: Int, in document: Document
  ) -> [Diagnostic] {
    values(of: directive, in: document).compactMap { value in
      guard case .int = value.content else { return nil }
      let level = Int(document.text(of: value.span)) ?? .max
      guard !(0...depth).contains(level) else { return nil }
      let nearest = level < 0 ? 0 : depth
      let lists =
        depth == 0
        ? "is in no list. Write level 0, or leave 'levels' out"
        : "is in \(depth == 1 ? "one list" : "\(depth) lists"). Write levels from 0 to \(depth)"
      return Diagnostic(
        rule: NullabilityRules.rule,
        message: "'@\(document.spelling(directive.name))' names the level "
          + "\(document.text(of: value.span)) of '\(field)', which \(lists).", at: value.span,
        fixIts: [.init("replace with '\(nearest)'", replacing: value.span, with: "\(nearest)")])
    }
  }

  private static func values(
    of directive: Directive, in document: Document
  ) -> [GraphQLSyntax.Value] {
    for argument in document[directive.arguments]
    where document.spelling(argument.name) == "levels" {
      return document.valueOrItems(of: argument.value)
    }
    return []
  }
}

extension Document {
  /// Returns the items of a list, or the value itself if it is none.
  func valueOrItems(of value: GraphQLSyntax.Value) -> [GraphQLSyntax.Value] {
    if case .list(let items) = value.content { return Array(self[items]) }
    return [value]
  }
}

extension TypeWrapping {
  /// `true` if the values inside of all lists are never null.
  fileprivate var isNonNullInside: Bool {
    var wrapping = self
    while let item = wrapping.nullable.item { wrapping = item }
    return wrapping.isNonNull
  }
}

/// Writes the selections of fragments with variables in place of the spreads.
///
/// No server has to know fragment arguments then. A value stands for each variable of a fragment:
///
/// 1. Walk the definitions that have no variables of fragments. Replace each spread of a fragment
///    with variables by an inline fragment with a copy of the selections.
/// 2. Bind the variables: to the argument of the spread, in which the variables around it have
///    been replaced before, or else to the default value, or else to nothing.
/// 3. Replace the variables in the copy. A variable that is bound to nothing takes its argument or
///    object field with it, and is `null` in a list, as the variable of an operation without a
///    value.
/// 4. Drop the fragments with variables.
///
/// The copies have the spans of the fragment, so that diagnostics point there.
package struct FragmentExpansion {
  /// Something that cannot be expanded.
  package struct Problem: Hashable, Sendable {
    /// The message.
    package var message: String
    /// The place.
    package var span: SourceSpan
  }

  /// The value of a variable, with the number of values in it and their depth.
  private struct Binding {
    var value: Value
    var size = 1
    var depth = 1
  }

  /// The values of the variables of a fragment, or `nil` for those without one.
  private typealias Bindings = [Symbol: Binding?]

  /// The document without fragment arguments.
  package private(set) var document: Document
  /// The reasons why the document cannot be used.
  package private(set) var problems: [Problem] = []
  /// The fields from which others were copied, by the copy.
  package private(set) var originals: [Field.ID: Field.ID] = [:]
  private var fragments: [Symbol: FragmentDefinition] = [:]
  /// The variables of operations that can be without a value.
  private var optionalVariables: Set<Symbol> = []
  private var remainingNodes = Self.maximumNodeCount

  /// The maximum number of selections and values that are copied. Each spread can double them.
  package static let maximumNodeCount = 200_000
  /// The maximum depth of nested selection sets and of nested values.
  package static let maximumDepth = 500

  /// Expands a document without cycles of fragments, whose spreads have only arguments that are
  /// defined.
  package init(of document: Document) {
    self.document = document
    for fragment in document.fragments where !fragment.variables.isEmpty {
      fragments[fragment.name.symbol] = fragment
      guard let directive = document[fragment.directives].first else { continue }
      report(
        "The fragment \"\(document.spelling(fragment.name))\" has variables, so that its "
          + "selections are sent in place of each spread, and its directives nowhere. Remove the "
          + "directives.",
        at: directive.span)
    }
    for operation in document.operations {
      for variable in document[operation.variables]
      where !variable.type.wrapping.isNonNull && variable.defaultValue == nil {
        optionalVariables.insert(variable.name.symbol)
      }
    }
    for definition in document.definitions {
      switch definition {
      case .operation(let id): expand(document[id].selectionSet, depth: 1)
      case .fragment(let id) where document[id].variables.isEmpty:
        expand(document[id].selectionSet, depth: 1)
      case .fragment, .schema, .type, .directive: break
      }
    }
    dropFragments()
  }

  private mutating func report(_ message: String, at span: SourceSpan) {
    problems.append(Problem(message: message, span: span))
  }

  /// Removes the fragments with variables and the arguments of their spreads, which are not a part
  /// of the document any more, and numbers the other fragments anew.
  private mutating func dropFragments() {
    var kept: [FragmentDefinition] = []
    document.definitions = document.definitions.compactMap { definition in
      guard case .fragment(let id) = definition else { return definition }
      guard document[id].variables.isEmpty else { return nil }
      kept.append(document[id])
      return .fragment(NodeID(rawValue: UInt32(kept.count - 1)))
    }
    document.fragments = kept
    for index in document.fragmentSpreads.indices {
      document.fragmentSpreads[index].arguments = .empty
    }
  }
}

extension Document {
  /// A Boolean value that indicates whether a fragment has variables, or a spread has arguments.
  package var hasFragmentArguments: Bool {
    fragments.contains { !$0.variables.isEmpty }
      || fragmentSpreads.contains { !$0.arguments.isEmpty }
  }
}

// MARK: - Selections

extension FragmentExpansion {
  /// Replaces the spreads in a selection set that is outside of fragments with variables.
  private mutating func expand(_ set: SelectionSet, depth: Int) {
    for index in set.selections.indices {
      switch document.selections[index] {
      case .field(let id):
        if let inner = document[id].selectionSet { expand(inner, depth: depth + 1) }
      case .inlineFragment(let id): expand(document[id].selectionSet, depth: depth + 1)
      case .fragmentSpread(let id):
        let spread = document[id]
        guard let fragment = fragments[spread.name.symbol] else { continue }
        if let inlined = inline(spread, fragment, [:], depth: depth) {
          document.selections[index] = inlined
        }
      }
    }
  }

  /// Returns the selections of `fragment` in place of `spread`, or `nil` if there would be too
  /// many.
  private mutating func inline(
    _ spread: FragmentSpread, _ fragment: FragmentDefinition, _ bindings: Bindings, depth: Int
  ) -> Selection? {
    let inner = bind(fragment, to: spread, bindings)
    guard depth < Self.maximumDepth else {
      if problems.last?.span != spread.span {
        report(
          "The fragments with variables are nested more than \(Self.maximumDepth) levels deep.",
          at: spread.span)
      }
      return nil
    }
    guard let set = copy(fragment.selectionSet, inner, depth: depth + 1, from: spread) else {
      return nil
    }
    document.inlineFragments.append(
      InlineFragment(
        typeCondition: fragment.typeCondition, directives: copy(spread.directives, bindings),
        selectionSet: set, span: spread.span))
    return .inlineFragment(NodeID(rawValue: UInt32(document.inlineFragments.count - 1)))
  }

  private mutating func copy(
    _ set: SelectionSet, _ bindings: Bindings, depth: Int, from spread: FragmentSpread
  ) -> SelectionSet? {
    guard depth <= Self.maximumDepth, take(set.selections.count, at: spread.span) else {
      return nil
    }
    var copies: [Selection] = []
    for selection in document[set.selections] {
      switch selection {
      case .field(let id):
        guard let copy = copyField(id, bindings, depth: depth, from: spread) else { return nil }
        copies.append(copy)
      case .inlineFragment(let id):
        var fragment = document[id]
        guard let inner = copy(fragment.selectionSet, bindings, depth: depth + 1, from: spread)
        else { return nil }
        fragment.selectionSet = inner
        fragment.directives = copy(fragment.directives, bindings)
        document.inlineFragments.append(fragment)
        copies.append(
          .inlineFragment(NodeID(rawValue: UInt32(document.inlineFragments.count - 1))))
      case .fragmentSpread(let id):
        var inner = document[id]
        if let fragment = fragments[inner.name.symbol] {
          guard let copy = inline(inner, fragment, bindings, depth: depth) else { return nil }
          copies.append(copy)
        } else {
          inner.directives = copy(inner.directives, bindings)
          document.fragmentSpreads.append(inner)
          copies.append(
            .fragmentSpread(NodeID(rawValue: UInt32(document.fragmentSpreads.count - 1))))
        }
      }
    }
    let first = document.selections.count
    document.selections += copies
    return SelectionSet(selections: list(from: first, document.selections.count), span: set.span)
  }

  private mutating func copyField(
    _ id: Field.ID, _ bindings: Bindings, depth: Int, from spread: FragmentSpread
  ) -> Selection? {
    var field = document[id]
    if let set = field.selectionSet {
      guard let inner = copy(set, bindings, depth: depth + 1, from: spread) else { return nil }
      field.selectionSet = inner
    }
    field.arguments = copy(field.arguments, bindings)
    field.directives = copy(field.directives, bindings)
    document.fields.append(field)
    let copy = Field.ID(rawValue: UInt32(document.fields.count - 1))
    originals[copy] = originals[id] ?? id
    return .field(copy)
  }

  /// Counts nodes, and reports at `span` that there are too many.
  private mutating func take(_ count: Int, at span: SourceSpan) -> Bool {
    let hadEnough = remainingNodes >= 0
    remainingNodes -= count
    if remainingNodes < 0, hadEnough {
      report(
        "The fragments with variables have more than \(Self.maximumNodeCount) selections and "
          + "values in all of their spreads.", at: span)
    }
    return remainingNodes >= 0
  }

  private func list<Kind>(from first: Int, _ end: Int) -> NodeList<Kind> {
    NodeList(start: UInt32(first), end: UInt32(end))
  }
}

// MARK: - Values

extension FragmentExpansion {
  /// Returns the values of the variables of `fragment`.
  private mutating func bind(
    _ fragment: FragmentDefinition, to spread: FragmentSpread, _ outer: Bindings
  ) -> Bindings {
    var bindings: Bindings = [:]
    for variable in document[fragment.variables] {
      let argument = document[spread.arguments].first { $0.name.symbol == variable.name.symbol }
      var binding = argument.flatMap { replaced($0.value, outer) }
      if let argument, let given = binding { checkDefault(of: variable, given.value, argument) }
      if binding == nil, let value = variable.defaultValue { binding = replaced(value, [:]) }
      bindings.updateValue(binding, forKey: variable.name.symbol)
    }
    return bindings
  }

  /// Reports a variable of an operation that can be without a value, if a default value would be
  /// used then. Only a server that knows fragment arguments can decide that.
  private mutating func checkDefault(
    of variable: VariableDefinition, _ value: Value, _ argument: Argument
  ) {
    guard variable.defaultValue != nil, case .variable(let name) = value.content,
      optionalVariables.contains(name)
    else { return }
    let (given, own) = (document.spelling(name), document.spelling(variable.name))
    report(
      "\"$\(given)\" can be without a value, and \"$\(own)\" then has its default value, which "
        + "cannot be sent. Make \"$\(given)\" non-null, give it a default value, or make "
        + "\"$\(own)\" required.",
      at: argument.span)
  }

  private mutating func copy(_ list: Directive.List, _ bindings: Bindings) -> Directive.List {
    guard !list.isEmpty else { return list }
    let copies = document[list].map { directive in
      var copy = directive
      copy.arguments = self.copy(directive.arguments, bindings)
      return copy
    }
    let first = document.directives.count
    document.directives += copies
    return self.list(from: first, document.directives.count)
  }

  private mutating func copy(_ list: Argument.List, _ bindings: Bindings) -> Argument.List {
    guard !list.isEmpty else { return list }
    var copies: [Argument] = []
    for argument in document[list] {
      guard let binding = replaced(argument.value, bindings) else { continue }
      _ = take(binding.size, at: argument.span)
      copies.append(Argument(name: argument.name, value: binding.value, span: argument.span))
    }
    let first = document.arguments.count
    document.arguments += copies
    return self.list(from: first, document.arguments.count)
  }

  /// Returns `value` with values in place of variables, or `nil` if it is a variable without one.
  private mutating func replaced(_ value: Value, _ bindings: Bindings) -> Binding? {
    switch value.content {
    case .variable(let name):
      guard let binding = bindings[name] else { return Binding(value: value) }
      return binding
    case .list(let items):
      var (size, depth) = (1, 1)
      let copies = document[items].map { item in
        guard let copy = replaced(item, bindings) else {
          return Value(content: .null, span: item.span)
        }
        (size, depth) = (size + copy.size, max(depth, copy.depth + 1))
        return copy.value
      }
      guard canNest(size, depth, at: value.span) else { return Binding(value: value) }
      let first = document.values.count
      document.values += copies
      return Binding(
        value: Value(
          content: .list(list(from: first, document.values.count)), span: value.span),
        size: size, depth: depth)
    case .object(let fields):
      var (size, depth) = (1, 1)
      var copies: [ObjectField] = []
      for field in document[fields] {
        guard let copy = replaced(field.value, bindings) else { continue }
        (size, depth) = (size + copy.size, max(depth, copy.depth + 1))
        copies.append(ObjectField(name: field.name, value: copy.value, span: field.span))
      }
      guard canNest(size, depth, at: value.span) else { return Binding(value: value) }
      let first = document.objectFields.count
      document.objectFields += copies
      return Binding(
        value: Value(
          content: .object(list(from: first, document.objectFields.count)), span: value.span),
        size: size, depth: depth)
    case .int, .float, .string, .boolean, .null, .enum: return Binding(value: value)
    }
  }

  /// Returns whether a value of `size` values can be used, and reports at `span` that it cannot.
  private mutating func canNest(_ size: Int, _ depth: Int, at span: SourceSpan) -> Bool {
    guard depth > Self.maximumDepth else { return take(size, at: span) }
    report("The values are nested more than \(Self.maximumDepth) levels deep.", at: span)
    return false
  }
}

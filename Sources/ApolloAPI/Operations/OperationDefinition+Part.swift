extension OperationDefinition {
  /// Returns the text of parts of a query, with the names of those of its variables that it has, or
  /// `nil` if the query does not have a part, the parts are all of it, or its text cannot be taken
  /// apart.
  ///
  /// ```graphql
  /// query HeroPage($id: ID!) { hero(id: $id) { __typename id appearsIn } }
  /// ```
  ///
  /// 1. The texts of the query and its fragments are taken apart (``DocumentScanner``).
  /// 2. Fields that do not belong to a part are left out. The names of types and the fields that
  ///    identify objects stay.
  /// 3. A fragment is written where it is spread, as an inline fragment, because each place has
  ///    another part of it. One of which only the names of types are left is left out.
  /// 4. Variables that occur nowhere any more are left out.
  ///
  /// An object that is looked up is a field at the root. Its selections are in an inline fragment
  /// on the type that they have in the query, where they are valid.
  ///
  /// ```graphql
  /// query HeroPage($node1: ID!) {
  ///   node1: node(id: $node1) { __typename ... on Hero { __typename id note } }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - lookups: The name of each object that is looked up, as a response key and a variable, and
  ///     the type on which its selections are made.
  ///   - types: The types of the schema.
  /// - Returns: The text and the variables.
  func text(
    of parts: MissingParts, lookups: [(name: String, type: String)], _ types: SchemaTypes
  ) -> (text: String, variables: Set<String>)? {
    guard let operation = DocumentScanner.operation(operationDefinition) else { return nil }
    var writer = PartWriter(
      fragments, types, limit: 4 * queryDocument.utf8.count * (1 + lookups.count) + 10_000)
    var written = WrittenSelections()
    for (object, lookup) in zip(parts.objects, lookups) {
      guard
        (try? writer.append(
          object, lookup.name, lookup.type, operation.selections, to: &written)) != nil
      else { return nil }
    }
    if let part = parts.root {
      writer.found = FoundFields()
      guard let root = try? writer.write(operation.selections, part), !root.texts.isEmpty,
        writer.found.areAll(of: part), writer.omitsFields
      else { return nil }
      written.texts += root.texts
      written.variables.formUnion(root.variables)
    }
    let used = written.variables.union(operation.directiveVariables)
    let known = operation.variables.filter { used.contains($0.name) }
    guard known.count == used.count, !written.texts.isEmpty else { return nil }
    let variables =
      zip(parts.objects, lookups).map { "$\($1.name): \($0.lookup.argumentType)" }
      + known.map(\.text)
    var text = operation.head
    if !variables.isEmpty { text += "(\(variables.joined(separator: ", ")))" }
    if !operation.directives.isEmpty { text += " \(operation.directives)" }
    return (text + " " + written.selectionSet, used)
  }
}

/// The texts of selections.
private struct WrittenSelections {
  var texts: [String] = []
  /// The variables in the texts.
  var variables: Set<String> = []
  /// Indicates whether there is more than the names of types.
  var haveFields = false

  var selectionSet: String { "{ \(texts.joined(separator: " ")) }" }

  /// Adds a selection with the selections inside of it.
  mutating func append(_ text: String, _ variables: Set<String>, _ inner: WrittenSelections) {
    texts.append("\(text) \(inner.selectionSet)")
    self.variables.formUnion(variables)
    self.variables.formUnion(inner.variables)
    haveFields = true
  }
}

/// Writes selections as far as they belong to a part.
private struct PartWriter {
  private let fragments: [String: any Fragment.Type]
  private let types: SchemaTypes
  private var scanned: [String: ScannedDefinition] = [:]
  var found = FoundFields()
  /// Indicates whether a field was left out.
  private(set) var omitsFields = false
  /// The number of bytes that may still be written. Fragments are written wherever they are spread.
  private var budget: Int

  private struct TooLarge: Error {}

  init(_ fragments: [any Fragment.Type], _ types: SchemaTypes, limit: Int) {
    budget = limit
    self.types = types
    // The name is that in the text, which a type need not have.
    self.fragments = Dictionary(
      fragments.compactMap { type in
        let words = type.fragmentDefinition.prefix(1_000).split { $0 == " " || $0.isNewline }
        return words.count > 1 ? (String(words[1]), type) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  mutating func write(
    _ selections: [ScannedDefinition.Selection], _ part: OperationPart
  ) throws -> WrittenSelections {
    var written = WrittenSelections()
    for selection in selections {
      budget -= selection.text.utf8.count + 4
      guard budget > 0 else { throw TooLarge() }
      switch selection.kind {
      case .field(let key, let name):
        if try !append(selection, key, name, part, to: &written) { omitsFields = true }
      case .inlineFragment:
        let inner = try write(selection.selections ?? [], part)
        guard inner.haveFields else { continue }
        written.append(selection.text, selection.variables, inner)
      case .fragmentSpread(let name):
        let fragment = try fragment(named: name)
        let inner = try write(fragment.selections, part)
        guard inner.haveFields else { continue }
        var text = "... on \(fragment.typeCondition ?? "")"
        if !selection.text.isEmpty { text += " \(selection.text)" }
        written.append(text, selection.variables, inner)
      }
    }
    return written
  }

  /// Appends a field. Returns `false` if it does not belong to the part.
  private mutating func append(
    _ field: ScannedDefinition.Selection, _ key: String, _ name: String, _ part: OperationPart,
    to written: inout WrittenSelections
  ) throws -> Bool {
    guard let selections = field.selections else {
      guard part.selectsLeaf(key, name: name) else { return false }
      found.enter(key, of: part)
      found.leave()
      written.texts.append(field.text)
      written.variables.formUnion(field.variables)
      if name != "__typename" { written.haveFields = true }
      return true
    }
    guard let inner = part.part(ofField: key) else { return false }
    found.enter(key, of: part)
    defer { found.leave() }
    let inside = try write(selections, inner)
    guard !inside.texts.isEmpty else { return false }
    written.append(field.text, field.variables, inside)
    return true
  }

  /// Appends the field that finds an object, with the object's selections in the operation.
  mutating func append(
    _ object: ObjectPart, _ name: String, _ type: String,
    _ selections: [ScannedDefinition.Selection], to written: inout WrittenSelections
  ) throws {
    found = FoundFields()
    var inside = WrittenSelections()
    for source in try selectionSets(of: object.way[...], in: selections) {
      let inner = try write(source, object.part)
      guard inner.haveFields else { continue }
      inside.append("... on \(type)", [], inner)
    }
    guard found.areAll(of: object.part), !inside.texts.isEmpty else {
      throw DocumentScanner.UnknownText()
    }
    inside.texts.insert("__typename", at: 0)
    let lookup = object.lookup
    written.append("\(name): \(lookup.field)(\(lookup.argument): $\(name))", [], inside)
  }

  /// Returns the selections of the operation for the objects at the end of a way.
  private mutating func selectionSets(
    of way: ArraySlice<ObjectPart.Step>, in selections: [ScannedDefinition.Selection]
  ) throws -> [[ScannedDefinition.Selection]] {
    guard let step = way.first else { return [selections] }
    var sets: [[ScannedDefinition.Selection]] = []
    for selection in selections {
      budget -= 4
      guard budget > 0 else { throw TooLarge() }
      let (condition, inner): (String?, [ScannedDefinition.Selection])
      switch selection.kind {
      case .field(let key, _):
        guard key == step.responseKey, let inside = selection.selections else { continue }
        sets += try selectionSets(of: way.dropFirst(), in: inside)
        continue
      case .inlineFragment(let type): (condition, inner) = (type, selection.selections ?? [])
      case .fragmentSpread(let name):
        let fragment = try fragment(named: name)
        (condition, inner) = (fragment.typeCondition, fragment.selections)
      }
      guard types.fragment(on: condition, appliesTo: step.typename) else { continue }
      sets += try selectionSets(of: way, in: inner)
    }
    return sets
  }

  private mutating func fragment(named name: String) throws -> ScannedDefinition {
    if let known = scanned[name] { return known }
    guard let type = fragments[name],
      let fragment = DocumentScanner.fragment(type.fragmentDefinition)
    else { throw DocumentScanner.UnknownText() }
    scanned[name] = fragment
    return fragment
  }
}

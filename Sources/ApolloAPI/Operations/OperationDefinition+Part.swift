extension OperationDefinition {
  /// Returns the text of a part of a query, with the names of the variables that it has, or `nil`
  /// if the query does not have the part, the part is all of it, or its text cannot be taken apart.
  ///
  /// ```graphql
  /// query HeroPage($id: ID!) { hero(id: $id) { __typename id appearsIn } }
  /// ```
  ///
  /// 1. The texts of the query and its fragments are taken apart (``DocumentScanner``).
  /// 2. Fields that do not belong to the part are left out. The names of types and the fields that
  ///    identify objects stay.
  /// 3. A fragment is written where it is spread, as an inline fragment, because each place has
  ///    another part of it. One of which only the names of types are left is left out.
  /// 4. Variables that occur nowhere any more are left out.
  func text(of part: OperationPart) -> (text: String, variables: Set<String>)? {
    guard let operation = DocumentScanner.operation(operationDefinition) else { return nil }
    var writer = PartWriter(fragments, limit: 4 * queryDocument.utf8.count + 10_000)
    guard let written = try? writer.write(operation.selections, part), !written.texts.isEmpty,
      writer.found.areAll(of: part), writer.omitsFields
    else { return nil }
    let used = written.variables.union(operation.directiveVariables)
    let variables = operation.variables.filter { used.contains($0.name) }
    guard variables.count == used.count else { return nil }
    var text = operation.head
    if !variables.isEmpty { text += "(\(variables.map(\.text).joined(separator: ", ")))" }
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
  private var scanned: [String: ScannedDefinition] = [:]
  private(set) var found = FoundFields()
  /// Indicates whether a field was left out.
  private(set) var omitsFields = false
  /// The number of bytes that may still be written. Fragments are written wherever they are spread.
  private var budget: Int

  private struct TooLarge: Error {}

  init(_ fragments: [any Fragment.Type], limit: Int) {
    budget = limit
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

  private mutating func fragment(named name: String) throws -> ScannedDefinition {
    if let known = scanned[name] { return known }
    guard let type = fragments[name],
      let fragment = DocumentScanner.fragment(type.fragmentDefinition)
    else { throw DocumentScanner.UnknownText() }
    scanned[name] = fragment
    return fragment
  }
}

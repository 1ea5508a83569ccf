/// A selection set whose closing brace has not been reached.
struct OpenSelectionSet {
  /// The field or inline fragment that owns the selection set, or `nil` for that of a definition.
  var owner: Selection?
  /// The offset of the opening brace.
  var start: UInt32
  /// The index of its first selection on the scratch stack.
  var firstScratch: Int
}

extension Parser {
  /// SelectionSet : { Selection+ }
  ///
  /// Nested selection sets are kept on a stack until they are closed. A field or an inline fragment
  /// is appended before its selections and completed after them, so IDs follow the order of the
  /// text.
  mutating func parseSelectionSet() throws(SyntaxAbort) -> SelectionSet {
    openListCount += 1
    defer { openListCount -= 1 }
    try openSelectionSet(of: nil)
    while true {
      let start = token
      do throws(SyntaxAbort) {
        if try parseSelection() { continue }
      } catch {
        try resume(.selections, after: error, inItemAt: start)
      }
      while token.kind == .rightBrace {
        let (selectionSet, owner) = closeSelectionSet()
        guard let owner else { return selectionSet }
        complete(owner, with: selectionSet)
        selectionScratch.append(owner)
      }
    }
  }

  /// Parses a selection, up to and including the opening brace of its selection set.
  ///
  /// - Returns: `true` if a selection set was opened, so that its first selection is next.
  @inline(__always)
  private mutating func parseSelection() throws(SyntaxAbort) -> Bool {
    let selection = try parseSelectionHead()
    if needsSelectionSet(selection) {
      try openSelectionSet(of: selection)
      return true
    }
    selectionScratch.append(selection)
    return false
  }

  private mutating func openSelectionSet(of owner: Selection?) throws(SyntaxAbort) {
    guard openSelectionSets.count < options.nestingLimit else {
      throw tooDeep()
    }
    let start = token.span.start
    try expect(.leftBrace)
    openSelectionSets.append(
      OpenSelectionSet(owner: owner, start: start, firstScratch: selectionScratch.count))
  }

  private mutating func closeSelectionSet() -> (SelectionSet, owner: Selection?) {
    advance()
    let open = openSelectionSets.removeLast()
    let first = document.selections.count
    let count = selectionScratch.count - open.firstScratch
    if count > 1 << 20 {
      document.selections.reserveCapacity(first + count)
      document.selections.adviseLargePages()
    }
    document.selections.append(contentsOf: selectionScratch[open.firstScratch...])
    selectionScratch.removeSubrange(open.firstScratch...)
    let selectionSet = SelectionSet(
      selections: list(from: first, to: document.selections.count), span: span(from: open.start))
    return (selectionSet, open.owner)
  }

  /// Returns whether `selection`, as far as it has been parsed, must continue with a selection set.
  @inline(__always)
  private func needsSelectionSet(_ selection: Selection) -> Bool {
    switch selection {
    case .field: token.kind == .leftBrace
    case .fragmentSpread: false
    case .inlineFragment: true
    }
  }

  private mutating func complete(_ owner: Selection, with selectionSet: SelectionSet) {
    switch owner {
    case .field(let id):
      document.fields[id.index].selectionSet = selectionSet
      document.fields[id.index].span.end = previousEnd
    case .inlineFragment(let id):
      document.inlineFragments[id.index].selectionSet = selectionSet
      document.inlineFragments[id.index].span.end = previousEnd
    case .fragmentSpread:
      preconditionFailure("A fragment spread has no selection set.")
    }
  }

  /// Parses Selection up to its selection set.
  private mutating func parseSelectionHead() throws(SyntaxAbort) -> Selection {
    token.kind == .spread ? try parseFragment() : .field(try parseField())
  }

  /// Field : Alias? Name Arguments? Directives? SelectionSet?
  private mutating func parseField() throws(SyntaxAbort) -> Field.ID {
    var name = try parseName()
    var alias: Name?
    let start = name.span.start
    if skip(.colon) {
      alias = name
      name = try parseName()
    }
    let arguments = try parseArguments(isConstant: false)
    let directives = try parseDirectives(isConstant: false)
    if document.fields.count == document.fields.capacity { reserveFieldsForRest() }
    document.fields.append(
      Field(
        alias: alias, name: name, arguments: arguments, directives: directives, selectionSet: nil,
        span: span(from: start)))
    return NodeID(rawValue: UInt32(truncatingIfNeeded: document.fields.count - 1))
  }

  /// Makes room for the fields that the rest of the source probably has.
  ///
  /// In a large source they fill most of the memory, and an array that doubles touches twice as
  /// much, which takes more time than parsing.
  @inline(never)
  private mutating func reserveFieldsForRest() {
    let count = document.fields.count
    let (read, rest) = progress
    // The density so far says nothing about small sources, nor about the end of a large one.
    guard count - firstField >= 4096, count - firstField >= count / 2 else { return }
    let expected = Int(Double(count - firstField) * Double(rest) / Double(read) * 1.1)
    document.fields.reserveCapacity(count + max(expected, count / 8))
    document.fields.adviseLargePages()
    // In a large selection set, each field is on this stack, too.
    guard selectionScratch.count > count / 2 else { return }
    selectionScratch.reserveCapacity(document.fields.capacity)
    selectionScratch.adviseLargePages()
  }

  /// FragmentSpread : ... FragmentName Arguments? Directives?
  ///
  /// InlineFragment : ... TypeCondition? Directives? SelectionSet
  private mutating func parseFragment() throws(SyntaxAbort) -> Selection {
    let start = token.span.start
    advance()
    if token.kind == .name && token.symbol != .on {
      let name = try parseName()
      let arguments =
        options.allowsFragmentArguments ? try parseArguments(isConstant: false) : .empty
      let directives = try parseDirectives(isConstant: false)
      document.fragmentSpreads.append(
        FragmentSpread(
          name: name, arguments: arguments, directives: directives, span: span(from: start)))
      return .fragmentSpread(NodeID(rawValue: UInt32(document.fragmentSpreads.count - 1)))
    }
    let typeCondition = skipKeyword(.on) ? try parseName() : nil
    let directives = try parseDirectives(isConstant: false)
    document.inlineFragments.append(
      InlineFragment(
        typeCondition: typeCondition, directives: directives,
        selectionSet: SelectionSet(selections: .empty, span: SourceSpan(at: previousEnd)),
        span: span(from: start)))
    return .inlineFragment(NodeID(rawValue: UInt32(document.inlineFragments.count - 1)))
  }
}

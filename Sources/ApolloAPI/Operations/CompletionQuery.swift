/// A query for parts of an operation: what the cache does not have of it.
package struct CompletionQuery: Sendable {
  /// The text, with all fragments in it.
  package let text: String
  /// The names of the operation's variables that the text has.
  package let variables: Set<String>
  /// The selections of the text.
  package let layout: SelectionLayout
  /// The names of the objects that are looked up, which are the response keys of the fields that
  /// find them, and the variables of their identifiers.
  package let names: [String]
  /// The identifier of each of these objects.
  package fileprivate(set) var identifiers: [JSONValue] = []

  /// Returns the variables that are sent with the text.
  package func variables(of operation: any GraphQLOperation) -> [(name: String, value: JSONValue)] {
    zip(names, identifiers).map { ($0, $1) }
      + operation.sentVariables.filter { variables.contains($0.name) }
  }
}

extension GraphQLOperation {
  /// Returns the query for a part of the operation, or `nil` if there is none: the operation is
  /// sent as a whole then.
  ///
  /// - Complexity: That of reading the text, for each part once. The number of parts of an
  ///   operation is limited, because their selections live as long as the program.
  package static func completion(of part: OperationPart) -> CompletionQuery? {
    completion(of: MissingParts(root: part), identifiers: [])
  }

  /// Returns the query for parts of the operation, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - identifiers: The identifier of each object that is looked up.
  /// - Returns: The query.
  /// - Complexity: As above.
  package static func completion(
    of parts: MissingParts, identifiers: [JSONValue]
  ) -> CompletionQuery? {
    guard operationType == .query, parts.root?.isWhole != true,
      let definition = operationDocument.definition
    else { return nil }
    let query = Completions.all.query(for: parts, of: __selections, definition, Data.Schema.types)
    return query.map { query in
      var query = query
      query.identifiers = identifiers
      return query
    }
  }
}

/// The completion queries of a program so far.
private final class Completions: Sendable {
  static let all = Completions()
  /// The largest number of queries for one operation, for those with objects that are looked up and
  /// for those without.
  private static let maximumCount = 64

  private struct Known: Sendable {
    var queries: [MissingParts: CompletionQuery?] = [:]
    /// Kept, because layouts refer to them without counting.
    var selections: [Selections] = []

    func isFull(for parts: MissingParts) -> Bool {
      queries.keys.count { $0.objects.isEmpty == parts.objects.isEmpty }
        >= Completions.maximumCount
    }
  }

  private let operations = Lock<[ObjectIdentifier: Known]>([:])

  func query(
    for parts: MissingParts, of whole: Selections, _ definition: OperationDefinition,
    _ types: SchemaTypes
  ) -> CompletionQuery? {
    // Selections live as long as the program, so their identity is that of the operation.
    let id = ObjectIdentifier(whole)
    let (known, isFull) = operations.withLock { operations in
      let operation = operations[id]
      let known = operation?.queries[parts]
      return (known, known == nil && operation?.isFull(for: parts) == true)
    }
    if let known { return known }
    guard !isFull else { return nil }
    let names = parts.names(besides: definition)
    let copied = PartCopier.selections(of: parts, named: names, in: whole, types)
    let text = copied.flatMap { copied in
      definition.text(
        of: parts, lookups: zip(names, copied.objectTypes).map { ($0, $1) }, types)
    }
    return operations.withLock { operations in
      if let winner = operations[id]?.queries[parts] { return winner }
      var query: CompletionQuery?
      if let copied, let text {
        operations[id, default: Known()].selections.append(copied.selections)
        query = CompletionQuery(
          text: text.text, variables: text.variables, layout: copied.selections[0], names: names)
      }
      operations[id, default: Known()].queries[parts] = .some(query)
      return query
    }
  }
}

extension MissingParts {
  /// Returns a name for each object: that of the field that finds it, and a number. The definition
  /// has no variable and no field with such a name.
  fileprivate func names(besides definition: OperationDefinition) -> [String] {
    guard !objects.isEmpty else { return [] }
    let text = definition.queryDocument
    var ending = ""
    while true {
      let names = objects.enumerated().map { "\($1.lookup.field)\($0 + 1)\(ending)" }
      guard names.contains(where: text.contains) else { return names }
      ending += "_"
    }
  }
}

/// A query for a part of an operation: what the cache does not have of it.
package struct CompletionQuery: Sendable {
  /// The text, with all fragments in it.
  package let text: String
  /// The names of the operation's variables that the text has.
  package let variables: Set<String>
  /// The selections of the text.
  package let layout: SelectionLayout
}

extension GraphQLOperation {
  /// Returns the query for a part of the operation, or `nil` if there is none: the operation is
  /// sent as a whole then.
  ///
  /// - Complexity: That of reading the text, for each part once. The number of parts of an
  ///   operation is limited, because their selections live as long as the program.
  package static func completion(of part: OperationPart) -> CompletionQuery? {
    guard operationType == .query, !part.isWhole, let definition = operationDocument.definition
    else { return nil }
    return Completions.all.query(for: part, of: __selections, definition)
  }
}

/// The completion queries of a program so far.
private final class Completions: Sendable {
  static let all = Completions()
  /// The largest number of parts of one operation.
  private static let maximumCount = 64

  private struct Known: Sendable {
    var queries: [OperationPart: CompletionQuery?] = [:]
    /// Kept, because layouts refer to them without counting.
    var selections: [Selections] = []
  }

  private let operations = Lock<[ObjectIdentifier: Known]>([:])

  func query(
    for part: OperationPart, of whole: Selections, _ definition: OperationDefinition
  ) -> CompletionQuery? {
    // Selections live as long as the program, so their identity is that of the operation.
    let id = ObjectIdentifier(whole)
    let (known, isFull) = operations.withLock { operations in
      let operation = operations[id]
      return (operation?.queries[part], operation?.queries.count ?? 0 >= Self.maximumCount)
    }
    if let known { return known }
    guard !isFull else { return nil }
    let selections = PartCopier.selections(of: part, in: whole)
    let text = selections == nil ? nil : definition.text(of: part)
    return operations.withLock { operations in
      if let winner = operations[id]?.queries[part] { return winner }
      var query: CompletionQuery?
      if let selections, let text {
        operations[id, default: Known()].selections.append(selections)
        query = CompletionQuery(
          text: text.text, variables: text.variables, layout: selections[0])
      }
      operations[id, default: Known()].queries[part] = .some(query)
      return query
    }
  }
}

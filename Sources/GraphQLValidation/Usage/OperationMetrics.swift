import GraphQLSchema
import GraphQLSyntax

/// Estimates of the work that an operation makes for a server.
///
/// Fragments count wherever they are spread, so the estimates are those of the response. Numbers
/// that exceed `Int` stay at its maximum.
package struct OperationMetrics: Hashable, Sendable {
  /// The number of fields around the innermost field, itself included: 2 for `{ hero { name } }`.
  package var depth = 0
  /// The number of selected fields.
  package var fieldCount = 0
  /// The number of values in a response in which every list has the assumed length.
  package var complexity = 0
  /// The greatest number of lists inside of each other.
  package var listDepth = 0

  /// Adds the metrics of a selection beside this one.
  fileprivate mutating func add(_ other: OperationMetrics) {
    depth = max(depth, other.depth)
    listDepth = max(listDepth, other.listDepth)
    fieldCount = fieldCount.addingSaturated(other.fieldCount)
    complexity = complexity.addingSaturated(other.complexity)
  }
}

extension ValidatedDocument {
  /// Returns the metrics of each operation, in the order of the document.
  ///
  /// - Parameter listLength: The number of elements that each list is assumed to have.
  /// - Returns: One element for each operation.
  /// - Complexity: O(*n*), where *n* is the number of selections in the document.
  package func metrics(listLength: Int) -> [OperationMetrics] {
    var measurement = Measurement(self, listLength: listLength)
    for fragment in fragmentsAfterTheirSpreads { measurement.measure(fragment) }
    return document.operations.map { measurement.metrics(of: $0.selectionSet) }
  }
}

/// The metrics of a document's fragments, from which those of operations follow.
private struct Measurement {
  private let valid: ValidatedDocument
  private let listLength: Int
  private var fragments: [OperationMetrics]

  init(_ valid: ValidatedDocument, listLength: Int) {
    self.valid = valid
    self.listLength = listLength
    fragments = Array(repeating: OperationMetrics(), count: valid.document.fragments.count)
  }

  /// Measures a fragment, after those that it spreads.
  mutating func measure(_ id: FragmentDefinition.ID) {
    fragments[id.index] = metrics(of: valid.document[id].selectionSet)
  }

  func metrics(of selectionSet: SelectionSet) -> OperationMetrics {
    var result = OperationMetrics()
    for selection in selectionSet.selections {
      switch valid.document[selection] {
      case .field(let id): result.add(metrics(of: id))
      case .inlineFragment(let id): result.add(metrics(of: valid.document[id].selectionSet))
      case .fragmentSpread(let id):
        let name = valid.document[id].name.symbol
        if let fragment = valid.fragment(named: name) { result.add(fragments[fragment.index]) }
      }
    }
    return result
  }

  private func metrics(of id: Field.ID) -> OperationMetrics {
    var result = valid.document[id].selectionSet.map(metrics) ?? OperationMetrics()
    result.depth += 1
    result.fieldCount = result.fieldCount.addingSaturated(1)
    result.complexity = result.complexity.addingSaturated(1)
    if let definition = valid.types.definition(of: id), valid.schema[definition].type.isList {
      result.listDepth += 1
      result.complexity = result.complexity.multipliedSaturated(by: listLength)
    }
    return result
  }
}

extension Int {
  fileprivate func addingSaturated(_ other: Int) -> Int {
    let (sum, isOverflown) = addingReportingOverflow(other)
    return isOverflown ? .max : sum
  }

  fileprivate func multipliedSaturated(by other: Int) -> Int {
    let (product, isOverflown) = multipliedReportingOverflow(by: other)
    return isOverflown ? .max : product
  }
}

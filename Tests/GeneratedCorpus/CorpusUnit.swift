package import ApolloAPI

/// A response of a corpus, and what generated code has to make of it.
package struct CorpusCase: Sendable {
  /// The expected result of a unit.
  package enum Expectation: String, Sendable {
    /// The data, errors or not.
    case data
    /// No data: the operation failed as a whole.
    case noData
    /// An error that says where the response is wrong.
    case failure
    /// Either of the two, and no crash.
    case either
    /// No code: the document is not valid.
    case noCode
  }

  /// Its name in the corpus.
  package var id: String
  /// The operation, where a document has several.
  package var operationName: String?
  /// The values of the operation's variables.
  package var variables: [String: JSONValue]
  /// The whole response; `nil` for a document that only has to compile, and read made-up responses.
  package var response: JSONValue?
  /// The expected result.
  package var expectation: Expectation
}

/// A schema and documents that are generated together, and their responses.
package struct CorpusUnit: Sendable {
  /// A document, and the case or project that it is of.
  package struct Document: Sendable {
    /// Its file.
    package var name: String
    package var text: String
    /// The name of the unit in messages.
    package var origin: String
  }

  /// The corpus that the unit is counted under, such as `execution.json`.
  package var corpus: String
  package var id: String
  /// Schema files: SDL, or the JSON of an introspection.
  package var schema: [(name: String, text: String)]
  package var documents: [Document]
  package var cases: [CorpusCase] = []
}

extension CorpusCase {
  /// Creates a response from which models with its data are expected.
  package init(
    id: String, operationName: String?, variables: [String: JSONValue], response: JSONValue
  ) {
    self.init(
      id: id, operationName: operationName, variables: variables, response: response,
      expectation: .data)
  }
}

extension CorpusUnit {
  /// Creates a unit of documents for one schema, without responses.
  package init(id: String, schema: String, documents: [(origin: String, text: String)]) {
    self.init(
      corpus: id, id: id, schema: [("schema.graphqls", schema)],
      documents: documents.enumerated().map { index, document in
        Document(name: "\(index).graphql", text: document.text, origin: document.origin)
      })
  }

  /// Returns `true` if the generator has to reject the unit.
  package var isInvalid: Bool { cases.contains { $0.expectation == .noCode } }

  /// The units with all operations named, and those on one schema joined, so that the schema's
  /// types are generated once for many of them.
  ///
  /// - Parameters:
  ///   - units: the units as the corpora have them.
  ///   - byteCount: about how much GraphQL a joined unit may have.
  /// - Returns: fewer units. What the generator refuses stays alone.
  package static func joined(_ units: [CorpusUnit], upTo byteCount: Int) -> [CorpusUnit] {
    var result: [CorpusUnit] = []
    var groups: [[String]: [CorpusUnit]] = [:]
    var order: [[String]] = []
    for unit in units {
      guard !unit.isInvalid else {
        result.append(joining([unit]))
        continue
      }
      // Whoever compiles only what has responses finds that together.
      let key = [unit.corpus, "\(unit.cases.isEmpty)"] + unit.schema.map(\.text)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(unit)
    }
    for key in order {
      var batch: [CorpusUnit] = []
      var size = 0
      for unit in groups[key] ?? [] {
        batch.append(unit)
        size += unit.documents.reduce(0) { $0 + $1.text.utf8.count }
        if size >= byteCount {
          result.append(joining(batch))
          (batch, size) = ([], 0)
        }
      }
      if !batch.isEmpty { result.append(joining(batch)) }
    }
    return result
  }

  private static func joining(_ units: [CorpusUnit]) -> CorpusUnit {
    var result = units[0]
    (result.documents, result.cases) = ([], [])
    for (number, unit) in units.enumerated() {
      let prefix = units.count == 1 ? "" : "D\(number)x"
      let renamed = unit.documents.enumerated().map { index, document in
        RenamedDocument(document.text, prefix: prefix, unnamed: "Unnamed\(index)x")
      }
      for (document, text) in zip(unit.documents, renamed) {
        result.documents.append(
          Document(
            name: units.count == 1 ? document.name : "\(number)/\(document.name)", text: text.text,
            origin: document.origin))
      }
      for var value in unit.cases {
        value.operationName =
          renamed.lazy.compactMap { $0.operation(named: value.operationName) }
          .first
        result.cases.append(value)
      }
    }
    return result
  }
}

package import ApolloAPI
import Foundation
import GraphQLSyntax
import SeededRandom

/// A response for the program with the generated code, and what that has to find.
package struct CheckRequest {
  package let corpus: String
  package let id: String
  package let expectation: CorpusCase.Expectation
  /// The operation, as `NAMESPACE.Name`.
  package let operation: String
  package let variables: [String: JSONValue]
  /// The whole response.
  package let response: String
  /// The data that the models have to show.
  package let data: JSONValue
  /// The number of values in the response that do not fit the operation: 0 for responses of
  /// servers.
  package let misfits: Int

  /// The request as the program reads it.
  package var line: String {
    JSONValue.object([
      "operation": .string(operation), "variables": .object(variables),
      "text": .string(response), "expected": data,
    ]).description
  }

  private init(
    _ corpus: String, _ id: String, _ expectation: CorpusCase.Expectation, in unit: GeneratedUnit,
    _ operation: GraphQLSyntax.OperationDefinition, variables: [String: JSONValue],
    response: String, data: JSONValue, misfits: Int = 0
  ) {
    self.corpus = corpus
    self.id = id
    self.expectation = expectation
    let name = operation.name.map(unit.document.spelling) ?? ""
    self.operation = "\(unit.namespace).\(name)"
    self.variables = variables
    self.response = response
    self.data = data
    self.misfits = misfits
  }

  /// The response of a corpus, with what the generated operation asks for beside.
  package init?(_ value: CorpusCase, in unit: GeneratedUnit) {
    guard let response = value.response, let operation = unit.operation(named: value.operationName)
    else { return nil }
    let oracle = SelectionOracle(
      schema: unit.schema, document: unit.document, operation: operation,
      variables: value.variables)
    let data = ResponseCompletion(oracle).completed(response["data"] ?? .null, of: operation)
    var members: [(key: String, value: OrderedJSON)] = []
    if response["data"] != nil { members.append(("data", data.value)) }
    for (key, value) in response.objectValue ?? [:] where key != "data" {
      members.append((key, .leaf(value)))
    }
    self.init(
      unit.unit.corpus, value.id, value.expectation, in: unit, operation,
      variables: value.variables, response: OrderedJSON.object(members).text,
      data: data.value.value, misfits: data.misfits)
  }

  /// Responses that are made up for each operation of a unit, with flags of every kind.
  ///
  /// None for schemas with `@typePolicy`: generated operations ask for key fields there, and what
  /// makes up responses knows only what was written.
  package static func made(up unit: GeneratedUnit) -> [CheckRequest] {
    guard !unit.unit.schema.contains(where: { $0.text.contains("@typePolicy") }) else { return [] }
    return unit.document.operations.flatMap { operation in
      (0..<4).map { round in made(up: unit, operation, round) }
    }
  }

  private static func made(
    up unit: GeneratedUnit, _ operation: GraphQLSyntax.OperationDefinition, _ round: UInt64
  ) -> CheckRequest {
    let seed = unit.unit.id.utf8.reduce(round) { ($0 &+ UInt64($1)) &* 0x100_0000_01b3 }
    var random = SeededGenerator(seed: seed)
    var variables: [String: JSONValue] = [:]
    for variable in unit.document[operation.variables]
    where unit.document.description(of: variable.type).hasPrefix("Boolean") {
      // A fragment that is read alone knows nothing of an operation's defaults.
      let isGiven =
        variable.defaultValue == nil || !unit.document.fragments.isEmpty
        || Bool.random(using: &random)
      if isGiven {
        variables[unit.document.spelling(variable.name)] = .bool(Bool.random(using: &random))
      }
    }
    let oracle = SelectionOracle(
      schema: unit.schema, document: unit.document, operation: operation, variables: variables)
    var mock = MockResponse(oracle, seed: seed)
    let data = mock.data(for: operation)
    // Half of them come in another order than they were asked for.
    let text = round % 2 == 0 ? data.text : data.value.description
    return CheckRequest(
      "made-up responses", "\(unit.unit.corpus) \(unit.unit.id) \(round)", .data, in: unit,
      operation, variables: variables, response: "{\"data\":\(text)}", data: data.value)
  }
}

extension CheckRequest {
  /// Finds the differences between the models of generated code and the response.
  ///
  /// - Parameters:
  ///   - failure: why the response could not be read.
  ///   - hasData: whether there was data.
  ///   - problems: what is wrong with the models.
  /// - Returns: a reason, or `nil` when nothing is wrong.
  package func problem(failure: String?, hasData: Bool, problems: [String]) -> String? {
    switch expectation {
    case .failure: return failure == nil ? "is accepted" : nil
    case .either: return nil
    case .noCode: return "is generated"
    case .noData:
      if let failure { return "is refused: \(failure)" }
      return hasData ? "has data" : nil
    case .data:
      if let failure { return "is refused: \(failure)" }
      if !hasData { return "has no data" }
      return problems.isEmpty ? nil : problems.prefix(3).joined(separator: "; ")
    }
  }
}

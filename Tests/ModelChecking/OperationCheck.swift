public import ApolloAPI

/// Runs the generated code of one operation on responses.
public protocol OperationCheck: SendableMetatype {
  /// - Parameters:
  ///   - text: a whole response.
  ///   - expected: the data that the models have to show.
  ///   - variables: the values of the operation's variables.
  /// - Returns: what became of the response.
  static func run(_ text: [UInt8], expecting expected: JSONValue, variables: Variables) -> Finding
}

/// The result of checking a response.
public struct Finding {
  /// The reason why the response could not be read.
  public var failure: ResponseError?
  /// Is `true` if there was data.
  public var hasData = false
  /// The mistakes in the models.
  public var problems: [String] = []
  /// See ``Walk``.
  public var readCount = 0
  /// See ``Walk``.
  public var hidden: Set<String> = []
}

/// Runs the models of `Operation`.
public enum ModelCheck<Operation: GraphQLOperation>: OperationCheck
where Operation.Data: WalkedModel {
  /// The operation with variables that are given as JSON.
  private struct Asked: GraphQLOperation {
    typealias Data = Operation.Data
    static var operationName: String { Operation.operationName }
    static var operationType: GraphQLOperationType { Operation.operationType }
    static var operationDocument: OperationDocument { Operation.operationDocument }
    static var __selections: GeneratedCode.Selections { Operation.__selections }
    var variables: Variables
    var __variables: Variables? { variables }
  }

  /// Decodes the response, reads every property of the models, and compares.
  public static func run(
    _ text: [UInt8], expecting expected: JSONValue, variables: Variables
  ) -> Finding {
    var finding = Finding()
    let response: GraphQLResponse<Asked>
    do throws(ResponseError) {
      response = try ResponseDecoder().decode(text, as: Asked(variables: variables))
    } catch {
      finding.failure = error
      return finding
    }
    guard let data = response.data else { return finding }
    finding.hasData = true
    finding.problems = differences(data, expected, variables)
    var walk = Walk(ResponseNode(expected), variables: variables)
    walk.visit(data, ResponseNode(expected))
    finding.problems += walk.problems.sorted()
    finding.readCount = walk.readCount
    finding.hidden = walk.hidden
    return finding
  }

  /// Returns the differences between a model, the response, and the model read again.
  private static func differences(
    _ data: Operation.Data, _ expected: JSONValue, _ variables: Variables
  ) -> [String] {
    var problems: [String] = []
    func check(_ holds: Bool, _ problem: String) {
      if !holds { problems.append(problem) }
    }
    check(data.jsonValue.says(expected), "jsonValue is not the response: \(data.jsonValue)")
    do {
      let object = try JSONValue(foundationValue: data.jsonObject)
      check(object.says(expected), "jsonObject is not the response: \(object)")
      let written = try JSONValue(jsonBytes: data.jsonBytes)
      check(written == data.jsonValue, "jsonBytes and jsonValue differ")
      let again = try Operation.Data(jsonObject: data.jsonObject, variables: variables)
      check(again == data, "reading jsonObject again makes another model")
      check(again.hashValue == data.hashValue, "equal models have different hashes")
      check(!data.debugDescription.isEmpty, "there is no description")
    } catch {
      problems.append("what the model writes cannot be read: \(error)")
    }
    return problems
  }
}

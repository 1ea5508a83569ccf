import ApolloAPI
import CorpusSupport
import Foundation
import GeneratedCorpus
import Testing

/// Code that is generated for operations of our own, and the responses that it reads.
///
/// The layouts of the generated code are interpreted, so that no compiler is needed. All documents
/// of a file are one project, whose code is generated once. A case has a document, the values of
/// its variables if it needs any, and a response.
@Suite struct ResponseDocumentTests {
  private static let responses = DocumentCase.cases(in: "responses.cases")
  private static let malformed = DocumentCase.cases(in: "malformed.cases")
  private static let projects = DocumentCase.cases(in: "projects.cases")

  private static let models = Result { try GeneratedDocuments(responses, namespace: "Responses") }
  private static let malformedModels = Result {
    try GeneratedDocuments(malformed, namespace: "Malformed")
  }
  private static let projectModels = Result {
    try GeneratedDocuments(projects, namespace: "Projects")
  }

  @Test(arguments: responses)
  func readsTheResponse(_ item: DocumentCase) throws {
    let outcome = try Self.models.get().outcome(of: item)
    #expect(outcome == item.diagnostics)
  }

  @Test(arguments: malformed)
  func refusesTheResponseAndNamesThePosition(_ item: DocumentCase) throws {
    let outcome = try Self.malformedModels.get().outcome(of: item)
    #expect(outcome == item.diagnostics)
  }

  @Test(arguments: projects)
  func readsMadeUpResponses(_ item: DocumentCase) throws {
    let problems = try Self.projectModels.get().problemsWithMadeUpResponses(to: item)
    #expect(problems == [])
  }
}

/// The models that are generated for the documents of several cases.
private struct GeneratedDocuments: Sendable {
  private let unit: GeneratedUnit
  private let models: InterpretedModels

  init(_ cases: [DocumentCase], namespace: String) throws {
    let folder = try TemporaryFolder()
    var generator = UnitGenerator(scratch: URL(fileURLWithPath: folder.path))
    let project = CorpusUnit(
      id: namespace, schema: DocumentCase.text(of: "schema.graphqls"),
      documents: cases.map { ($0.name, $0.document) })
    unit = try generator.generate(project, namespace: namespace)
    models = InterpretedModels(unit)
  }

  /// Returns the expectations that the response of a case meets, in the form of its lines.
  func outcome(of item: DocumentCase) throws -> [String] {
    let value = CorpusCase(
      id: item.name, operationName: item.operationName, variables: try item.variables,
      response: try item.response)
    let found = CheckRequest(value, in: unit)
    let request = try #require(found)
    func line(_ result: String, _ message: String = "") -> String {
      DocumentCase.line(rule: result, locations: [], message: message)
    }
    let outcome = models.outcome(of: request)
    switch try #require(outcome) {
    case .data(let problems): return problems
    case .noData: return [line("noData")]
    case .failure(var error):
      error.byteOffset = nil  // Type names have been added to the response.
      return [line("failure", error.description)]
    }
  }

  func problemsWithMadeUpResponses(to item: DocumentCase) -> [String] {
    let requests = CheckRequest.made(up: unit)
      .filter { $0.operation.hasSuffix(".\(item.operationName ?? "")") }
    return requests.isEmpty
      ? ["No response was made up."] : requests.compactMap { models.problem(with: $0) }
  }
}

extension DocumentCase {
  fileprivate var document: String { parts[0] }

  fileprivate var variables: [String: JSONValue] {
    get throws {
      parts.count > 2 ? try JSONValue(jsonBytes: Data(parts[1].utf8)).objectValue ?? [:] : [:]
    }
  }

  fileprivate var response: JSONValue {
    get throws { try JSONValue(jsonBytes: Data(parts[parts.count - 1].utf8)) }
  }

  /// The name of the operation, which is the second word of the document.
  fileprivate var operationName: String? {
    document.split(whereSeparator: " ({\n".contains).dropFirst().first.map(String.init)
  }
}

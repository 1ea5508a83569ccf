import ApolloAPI
import Foundation
import SeededRandom
import ShapesAPI
import Testing

/// Laws for models of every shape and origin.
struct ModelLawsTests {
  /// An operation with responses of ``RandomShapes``.
  struct Subject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Checks every law on random responses.
    let check: @Sendable (UInt64) throws -> Void

    init<Operation: GraphQLOperation>(_ name: String, _ operation: Operation)
    where Operation.Data: RootModelValue & Codable {
      testDescription = name
      check = { seed in try Laws(operation, seed: seed).check() }
    }
  }

  static let subjects = [
    Subject("leaves", LeavesQuery()), Subject("lists of leaves", LeafListsQuery()),
    Subject("objects", ObjectsQuery()),
    Subject("type cases", ThingsQuery(more: false, less: true)),
    Subject(
      "type cases and everything that depends on conditions", ThingsQuery(more: true, less: false)),
  ]

  @Test(arguments: subjects)
  func holdForRandomShapes(_ subject: Subject) throws {
    for round in 0..<25 { try subject.check(freshSeed &+ UInt64(round)) }
  }

  /// A seed that once found a failure, and some fixed ones.
  @Test(arguments: subjects)
  func holdForTheSameShapesInEveryRun(_ subject: Subject) throws {
    for seed in 0..<10 { try subject.check(UInt64(seed)) }
  }
}

/// The laws for the responses to one operation.
private struct Laws<Operation: GraphQLOperation> where Operation.Data: RootModelValue & Codable {
  typealias Model = Operation.Data
  let operation: Operation
  let seed: UInt64
  private let response: JSONValue

  init(_ operation: Operation, seed: UInt64) {
    self.operation = operation
    self.seed = seed
    var shapes = RandomShapes(seed: seed)
    response = shapes.data()
  }

  private var label: Comment { "seed \(seed)" }

  func check() throws {
    let model = try decoded(response)
    try checkTheWaysToOneModel(model)
    try checkChanges(of: model)
    checkThatItCanBeLookedAt(model)
  }

  private func decoded(_ data: JSONValue) throws -> Model {
    try decoded(text: #"{"data":\#(data)}"#)
  }

  private func decoded(text: String) throws -> Model {
    let response = try ResponseDecoder().decode(Array(text.utf8), as: operation)
    return try #require(response.data, label)
  }

  /// A model is equal after each conversion.
  private func checkTheWaysToOneModel(_ model: Model) throws {
    let variables = operation.__variables
    let decoder = JSONDecoder()
    decoder.userInfo[.graphQLVariables] = variables
    let ways: [(String, Model)] = [
      ("the same bytes", try decoded(response)),
      (
        "other orders",
        try Model(jsonBytes: Array(response.descendingText.utf8), variables: variables)
      ),
      ("its own JSON", try Model(jsonBytes: model.jsonBytes, variables: variables)),
      ("its value", try Model(jsonValue: model.jsonValue, variables: variables)),
      ("its object", try Model(jsonObject: model.jsonObject, variables: variables)),
      (
        "JSONSerialization",
        try Model(jsonObject: serialized(model.jsonObject), variables: variables)
      ),
      ("Codable", try decoder.decode(Model.self, from: JSONEncoder().encode(model))),
    ]
    for (name, other) in ways {
      #expect(model == other && other == model, "\(name), seed \(seed)")
      #expect(model.hashValue == other.hashValue, "\(name), seed \(seed)")
      // Foundation does not keep the sign of zero.
      if name != "JSONSerialization" && name != "Codable" {
        #expect(other.jsonBytes == model.jsonBytes, "\(name), seed \(seed)")
      }
    }
    for round in 0..<4 {
      // The same server twice: the reader remembers its order of fields.
      var server = OtherServer(seed: seed &+ UInt64(round / 2))
      let text = server.response(with: response)
      #expect(try decoded(text: text) == model, "\(text), seed \(seed)")
    }
    let all = [model] + ways.map(\.1)
    for first in all {
      for second in all { #expect(first == second, label) }  // transitive
    }
    #expect(Set(all).count == 1, label)
  }

  private func serialized(_ object: JSONObject) throws -> JSONObject {
    let data = try JSONSerialization.data(withJSONObject: object)
    return try #require(try JSONSerialization.jsonObject(with: data) as? JSONObject, label)
  }

  /// Models that differ in one position are not equal.
  private func checkChanges(of model: Model) throws {
    var random = SeededGenerator(seed: seed)
    let value = model.jsonValue
    let count = value.placeCount
    var others: [Model] = []
    for position in (0..<count).shuffled(using: &random).prefix(12) {
      let changed = value.changed(at: position)
      // Not every position accepts every value: another '__typename' selects other fields, and
      // scalars such as 'UUID' reject texts.
      guard let other = try? Model(jsonValue: changed, variables: operation.__variables) else {
        continue
      }
      #expect(!(model == other) && !(other == model), "\(changed), seed \(seed)")
      #expect(other == other && other != model, label)
      others.append(other)
    }
    for first in others {
      for second in others {
        #expect((first == second) == (second == first), label)
        #expect(first != second || first.hashValue == second.hashValue, label)
        for third in others.prefix(8) where first == second && second == third {
          #expect(first == third, label)
        }
      }
    }
    if count > 40 { #expect(Set(others.map(\.hashValue)).count > 1, label) }
  }

  /// Debuggers and `print` may inspect everything.
  private func checkThatItCanBeLookedAt(_ model: Model) {
    #expect(!model.debugDescription.isEmpty && !"\(model)".isEmpty, label)
    var text = ""
    dump(model, to: &text)
    #expect(text.utf8.count >= model.debugDescription.utf8.count / 4, label)
    #expect(Mirror(reflecting: model).children.count == model.jsonObject.count, label)
  }
}

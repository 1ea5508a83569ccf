import ApolloAPI
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The variables that generated operations send for their defaults are those of the document,
/// whatever the names of enum values mean in Swift.
@Suite struct DefaultVariableTests {
  private static let operations: [String: [any GraphQLOperation]] = [
    "Awkward": [
      AwkwardAPI.ScalarsQuery(), AwkwardAPI.RequiredQuery(), AwkwardAPI.SinglesQuery(),
      AwkwardAPI.ListsQuery(), AwkwardAPI.BoxesQuery(), AwkwardAPI.NumbersQuery(),
    ],
    "AwkwardPlain": [
      AwkwardPlainAPI.ScalarsQuery(), AwkwardPlainAPI.RequiredQuery(),
      AwkwardPlainAPI.SinglesQuery(), AwkwardPlainAPI.ListsQuery(), AwkwardPlainAPI.BoxesQuery(),
      AwkwardPlainAPI.NumbersQuery(),
    ],
  ]

  @Test(arguments: ["Awkward", "AwkwardPlain"])
  func areWhatIsWritten(_ fixture: String) throws {
    let folder = GoldenTests.folder.appendingPathComponent("Fixtures/\(fixture)")
    func source(_ name: String) throws -> Source {
      Source(
        name: name,
        text: try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
    }
    let schema = Schema.build([.sdl(try source("schema.graphqls"))]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    #expect(document.parse(try source("operations.graphql")).isEmpty)
    let oracle = DefaultOracle(schema: schema, document: document)
    var count = 0
    for operation in Self.operations[fixture] ?? [] {
      let name = type(of: operation).operationName
      let definition = try #require(
        document.operations.first { $0.name.map(document.spelling) == name })
      let sent = operation.__variables?.jsonValue
      for variable in document[definition.variables] {
        let key = document.spelling(variable.name)
        let expected = try #require(oracle.value(of: variable))
        // A default that no `Double` represents, such as 1e400, is left to the server.
        let isSent = name != "Numbers" || !["l", "m"].contains(key)
        #expect(sent?[key] == (isSent ? expected : JSONValue?.none), "\(name) $\(key)")
        count += 1
      }
    }
    #expect(count > 90)
  }

  /// Tests the spelling that an optional or nullable value needs: `.none` is `nil` there, whatever
  /// the cases of the enum.
  @Test func aCaseCalledNoneIsSentIfItIsNamedAsACase() {
    let value: GraphQLNullable<GraphQLEnum<AwkwardPlainAPI.Awkward>> = .case(.none)
    let values: [GraphQLEnum<AwkwardPlainAPI.Awkward>?] = [.case(.none), .case(.some), nil]
    let box = AwkwardPlainAPI.Box(value: value, values: .some(values))
    let sent = box.__inputValue
    #expect(sent?["value"] == .string("none"))
    #expect(sent?["values"] == .array([.string("none"), .string("some"), .null]))
  }
}

/// The values of defaults, as the specification coerces them.
private struct DefaultOracle {
  let schema: Schema
  let document: Document

  /// Returns the value of a variable's default, or `nil` if it has none.
  func value(of variable: VariableDefinition) -> JSONValue? {
    guard let type = schema.resolve(variable.type) else { return nil }
    return variable.defaultValue.flatMap { value($0, type) }
  }

  private func value(_ value: GraphQLSyntax.Value, _ type: ResolvedType) -> JSONValue? {
    if case .null = value.content { return .null }
    if let item = type.item {
      if case .list(let items) = value.content {
        return .array(document[items].map { self.value($0, item) ?? .null })
      }
      return .array([self.value(value, item) ?? .null])
    }
    switch value.content {
    case .enum(let name): return .string(document.spelling(name))
    case .string(let literal): return .string(document.string(literal))
    case .boolean(let flag): return .bool(flag)
    case .int, .float:
      let text = document.sources.text(of: value.span)
      switch schema.name(of: type.namedType) {
      case "ID": return .string(text)
      case "Int": return Int64(text).map { .int($0) }
      default: return Double(text).map { .double($0) }
      }
    case .object(let members):
      return .object(
        Dictionary(
          uniqueKeysWithValues: document[members].compactMap { member in
            schema.inputField(member.name.symbol, of: type.namedType).map { field in
              (
                document.spelling(member.name),
                self.value(member.value, schema[field].type) ?? .null
              )
            }
          }))
    case .variable, .null, .list: return nil
    }
  }
}

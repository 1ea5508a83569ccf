import ApolloAPI
import ApolloTransport
import Foundation
import TestOperations
import Testing

struct OperationMessageTests {
  private let document =
    "query Hero($name: String) { hero(name: $name) { __typename id name friends { __typename id name } } }"
  private let hash = "937fef4bbbbbccdbaf762cda3ecbfc8743134e967ac1eb8e1cf6281b797f82e4"
  /// The identifier of a program's own provider, which is not the hash.
  private let identifier = "1d0f5f9f0b1dc2d8b2a6a3b1a1a4c0ab1ed3f7b8cf9d3d2b41b5e2f0aa0d9c11"

  private func json(
    _ query: HeroAPI.HeroQuery, _ form: OperationMessage.DocumentForm = .text
  ) throws -> String {
    String(decoding: try OperationMessage(query, form: form).json, as: UTF8.self)
  }

  @Test func namesTheOperationAndItsText() throws {
    #expect(try json(.init()) == #"{"operationName":"Hero","query":"\#(document)"}"#)
  }

  @Test func tellsNullFromAbsentVariables() throws {
    let start = #"{"operationName":"Hero","query":"\#(document)""#
    #expect(try json(.init(name: .null)) == start + #","variables":{"name":null}}"#)
    #expect(
      try json(.init(name: "a\"b\n")) == start + #","variables":{"name":"a\"b\n"}}"#)
  }

  @Test func sendsTheRegisteredIdentifierInPlaceOfTheText() throws {
    let extensions =
      #""extensions":{"persistedQuery":{"sha256Hash":"\#(identifier)","version":1}}"#
    #expect(try json(.init(), .registeredIdentifier) == #"{"operationName":"Hero",\#(extensions)}"#)
    #expect(
      try json(.init(), .topLevelIdentifier) == #"{"operationName":"Hero","id":"\#(identifier)"}"#)
  }

  @Test func sendsTheHashOfTheTextToAServerThatLearnsTexts() throws {
    let extensions = #""extensions":{"persistedQuery":{"sha256Hash":"\#(hash)","version":1}}"#
    #expect(try json(.init(), .identifier) == #"{"operationName":"Hero",\#(extensions)}"#)
    #expect(
      try json(.init(), .textAndIdentifier)
        == #"{"operationName":"Hero","query":"\#(document)",\#(extensions)}"#)
  }

  @Test func refusesAnIdentifierThatWasNotGenerated() {
    let error = #expect(throws: GraphQLHTTPRequestError.self) {
      try OperationMessage(
        HeroAPI.RenameMutation(id: "1", name: "R2"), form: .registeredIdentifier)
    }
    #expect(
      error?.description
        == "The operation 'Rename' has no identifier. Generate code with operation identifiers, or let the transport send the text."
    )
  }

  @Test func listsQueryParametersInAlphabeticalOrder() throws {
    let message = try OperationMessage(
      HeroAPI.HeroQuery(name: "R2+D2"), form: .textAndIdentifier)
    #expect(
      message.queryParameters.map(\.name) == ["extensions", "operationName", "query", "variables"])
    #expect(message.queryParameters.last?.value == #"{"name":"R2+D2"}"#)
  }
}

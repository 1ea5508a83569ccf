import Apollo
import ApolloFakeServer
import Foundation
import TestOperations
import Testing

/// Uploads to a fake server, whose variables are the names of the files as over HTTP.
@Suite(.timeLimit(.minutes(10))) struct FakeServerMeetingTests {
  private struct CreateAlbum: GraphQLMutation {
    typealias Data = HeroAPI.UploadMutation.Data
    static let operationName = "CreateAlbum"
    static let operationDocument = OperationDocument(
      definition: .init(
        "mutation CreateAlbum($files: [Upload]!) { createAlbum(files: $files) { files } }"))
    static let __selections = HeroAPI.UploadMutation.__selections
    /// One for each file.
    var placeholders: JSONValue
    var __variables: Variables? {
      var variables: Variables = [:]
      variables["files"] = placeholders
      return variables
    }
  }

  private func files(_ names: [String], for fieldName: String = "files") -> [GraphQLFile] {
    names.map { GraphQLFile(fieldName: fieldName, originalName: $0, data: Data($0.utf8)) }
  }

  private func created(
    _ placeholders: JSONValue, _ files: [GraphQLFile]
  ) async throws -> String {
    let server = try FakeServer(
      schema: """
        type Query { a: Int }
        scalar Upload
        type Mutation { createAlbum(files: [Upload]!): Album }
        type Album { id: ID! files: [Upload]! }
        """)
    let request = OperationRequest(CreateAlbum(placeholders: placeholders))
    let response = try await FakeServerTransport(server).upload(request, files: files)
    return String(decoding: response.body, as: UTF8.self)
  }

  private static let names = #"{"data":{"createAlbum":{"files":["a.txt","b.txt"]}}}"#

  @Test func filesOfAListTakeThePlacesOfItsNulls() async throws {
    #expect(try await created([.null, .null], files(["a.txt", "b.txt"])) == Self.names)
  }

  /// Over HTTP, any text may be the placeholder of a file.
  @Test func filesOfAListTakeThePlacesOfItsPlaceholders() async throws {
    #expect(try await created(["first", "second"], files(["a.txt", "b.txt"])) == Self.names)
  }

  @Test func filesOfTheElementsOfAListTakeTheirPlaces() async throws {
    let elements = files(["b.txt"], for: "files.1") + files(["a.txt"], for: "files.0")
    #expect(try await created(["first", "second"], elements) == Self.names)
  }
}

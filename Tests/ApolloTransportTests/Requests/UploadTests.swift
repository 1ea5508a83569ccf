import ApolloAPI
import Foundation
import LoopbackServer
import TestOperations
import Testing

@testable import ApolloTransport

struct UploadTests {
  private func file(_ fieldName: String, _ name: String = "a.txt", type: String = "text/plain")
    -> GraphQLFile
  {
    GraphQLFile(
      fieldName: fieldName, originalName: name, mimeType: type, data: Data("content".utf8))
  }

  // MARK: Where files belong

  @Test func putsNullInPlaceOfAPlaceholder() throws {
    let map = try UploadMap([file("file")], variables: [("id", 1), ("file", "a")])
    #expect(map.variables.map(\.0) == ["id", "file"])
    #expect(map.variables.map(\.1) == [1, .null])
    #expect(String(decoding: map.json, as: UTF8.self) == #"{"0":["variables.file"]}"#)
  }

  @Test func numbersTheFilesOfAList() throws {
    let map = try UploadMap(
      [file("files", "1"), file("other", "2"), file("files", "3")],
      variables: [("files", ["a", "b"]), ("other", "c")])
    #expect(map.variables.map(\.1) == [[.null, .null], .null])
    #expect(
      String(decoding: map.json, as: UTF8.self)
        == #"{"0":["variables.files.0"],"1":["variables.other"],"2":["variables.files.1"]}"#)
  }

  @Test func leadsIntoInputObjects() throws {
    let map = try UploadMap(
      [file("input.avatar")], variables: [("input", ["avatar": "a", "name": "b"])])
    #expect(map.variables.map(\.1) == [["avatar": .null, "name": "b"]])
    #expect(map.paths == ["variables.input.avatar"])
  }

  @Test func leadsToElementsOfLists() throws {
    let map = try UploadMap(
      [file("input.files.1", "1"), file("list.0.file", "2")],
      variables: [("input", ["files": ["a", "b"]]), ("list", [["file": "c"]])])
    #expect(map.variables.map(\.1) == [["files": ["a", .null]], [["file": .null]]])
    #expect(map.paths == ["variables.input.files.1", "variables.list.0.file"])
  }

  @Test func sendsAFileAtSeveralPlacesOnce() throws {
    let map = try UploadMap(
      [file("a"), file("b.0"), file("c", "other.txt")],
      variables: [("a", "x"), ("b", ["x"]), ("c", "x")])
    #expect(
      String(decoding: map.json, as: UTF8.self)
        == #"{"0":["variables.a","variables.b.0"],"1":["variables.c"]}"#)
    #expect(map.parts.map(\.file.originalName) == ["a.txt", "other.txt"])
  }

  @Test(arguments: [
    (["files.2"], "there is no element 2"),
    (["files.x"], "there is no field 'x'"),
    (["files.00"], "there is no field '00'"),
    (["nothing"], "there is no such variable"),
    (["input.nothing"], "there is no field 'nothing'"),
    (["files"], "it has 2 placeholders for 1 files"),
    (["file", "file"], "it has 1 placeholders for 2 files"),
    (["files.0", "files", "files"], "another file belongs there"),
    ([""], "there is no such variable"),
  ])
  func refusesFilesThatDoNotFit(_ names: [String], _ reason: String) {
    let variables: [(String, JSONValue)] = [
      ("file", "a"), ("files", ["a", "b"]), ("input", ["avatar": "a"]),
    ]
    #expect(
      throws: GraphQLHTTPRequestError.uploadMismatch(fieldName: names[0], reason: reason)
    ) { try UploadMap(names.map { file($0) }, variables: variables) }
  }

  // MARK: The body

  @Test func writesThePartsInOrder() throws {
    var form = MultipartFormData(boundary: "b")
    form.append(name: "operations", Array("{}".utf8))
    try form.append(name: "0", file("file"))
    form.finish()
    #expect(
      try String(decoding: form.body.data(), as: UTF8.self) == """
        --b\r
        Content-Disposition: form-data; name="operations"\r
        \r
        {}\r
        --b\r
        Content-Disposition: form-data; name="0"; filename="a.txt"\r
        Content-Type: text/plain\r
        \r
        content\r
        --b--\r

        """)
  }

  @Test func escapesFileNames() throws {
    var form = MultipartFormData(boundary: "b")
    try form.append(name: "0", file("file", "a\"\r\nX: é.txt"))
    let text = try String(decoding: form.body.data(), as: UTF8.self)
    #expect(text.contains("filename=\"a%22%0D%0AX: é.txt\"\r\n"))
  }

  @Test func refusesTypesThatCouldInjectHeaders() {
    var form = MultipartFormData(boundary: "b")
    #expect(throws: GraphQLHTTPRequestError.invalidHeader(name: "Content-Type")) {
      try form.append(name: "0", file("file", type: "a/b\r\nX: y"))
    }
  }

  @Test func eachBoundaryIsAnother() {
    let boundaries = Set((0..<100).map { _ in MultipartFormData.randomBoundary() })
    #expect(boundaries.count == 100)
    #expect(boundaries.allSatisfy { $0.utf8.count <= 70 })
  }

  // MARK: Files on disk

  @Test func readsFilesFromDisk() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    #expect(GraphQLFile(fieldName: "f", originalName: "a", fileURL: url) == nil)
    try Data("on disk".utf8).write(to: url)
    let file = try #require(GraphQLFile(fieldName: "f", originalName: "a", fileURL: url))
    #expect(file.mimeType == "application/octet-stream")
    #expect(file.contentLength == 7)
    var body = UploadBody()
    try file.append(to: &body)
    #expect(try body.data() == Data("on disk".utf8))
    try FileManager.default.removeItem(at: url)
    let gone = GraphQLHTTPRequestError.unreadableFile(
      name: "a", reason: "No such file or directory.")
    #expect(throws: gone) { try body.data() }
    #expect(throws: gone) { try file.append(to: &body) }
    #expect(throws: gone) {
      try GraphQLFile(fieldName: "f", originalName: "a", contentsOf: url)
    }
    let folder = FileManager.default.temporaryDirectory
    #expect(GraphQLFile(fieldName: "f", originalName: "a", fileURL: folder) == nil)
  }

  // MARK: Over HTTP

  @Test(.timeLimit(.minutes(10))) func sendsOneMultipartRequest() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let mutation = HeroAPI.RenameMutation(id: "1", name: "placeholder")
    _ = try await transport.upload(OperationRequest(mutation), files: [file("name")])
    let request = try #require(server.requests.first)
    let type = try #require(request.headers["content-type"].flatMap(MediaType.init))
    #expect(type.essence == "multipart/form-data")
    let boundary = try #require(type.parameters["boundary"])
    let parts = request.bodyText.components(separatedBy: "--\(boundary)")
    try #require(parts.count == 5)
    #expect(parts[1].contains(#""variables":{"id":"1","name":null}"#))
    #expect(parts[2].contains(#"{"0":["variables.name"]}"#))
    #expect(parts[3].hasSuffix("content\r\n"))
    #expect(request.headers["apollo-require-preflight"] == "true")
  }
}

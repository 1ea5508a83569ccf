import Apollo
import Foundation
import LoopbackServer
import PostsAPI
import Testing

/// The page "Mutations" of Apollo iOS: its code compiles in the Swift 5 language mode, and does
/// what its text says.
@Suite(.serialized, .timeLimit(.minutes(10)))
@MainActor
struct MutationsTests {
  private nonisolated static let post =
    #"{"data":{"upvotePost":{"__typename":"Post","id":"123","title":"On GraphQL","votes":5}}}"#
  private nonisolated static let file = #"{"data":{"singleUpload":{"__typename":"File","id":"7"}}}"#

  private func page(_ server: LoopbackServer) -> PostViewController {
    PostViewController(apollo: ApolloClient(url: server.url()))
  }

  private func json(_ request: ReceivedRequest?) throws -> [String: Any] {
    let body = Data(try #require(request).body)
    return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
  }

  // MARK: - Transactions

  private struct Stop: Error {}

  /// The Swift 5 language mode has calls that do not wait. They fit a closure without `await`
  /// better.
  @Test func aTransactionThatIsAwaitedThrowsTheErrorsOfItsBody() async throws {
    let store = ApolloStore()
    await #expect(throws: Stop.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.removeObject(for: "Post:1")
        throw Stop()
      }
    }
  }

  // MARK: - Mutations

  @Test func aMutationIsSentAndItsResultIsRead() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.post) }
    defer { server.stop() }
    page(server).upvote()
    #expect(
      await PrintedLine.next() == PrintedLine(text: "Optional(5)", isOnMainQueue: true))
    let body = try json(server.requests.first)
    #expect((body["query"] as? String)?.hasPrefix("mutation UpvotePost($postId: Int!)") == true)
    #expect(body["variables"] as? [String: Int] == ["postId": 123])
  }

  @Test func aFragmentOfTheResultConfiguresAView() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.post) }
    defer { server.stop() }
    let page = self.page(server)
    page.upvoteAndShow()
    #expect(await PrintedLine.next()?.text == "configured")
    #expect(page.shown?.title == "On GraphQL")
    #expect(page.shown?.votes == 5)
  }

  @Test func aQueryAndAMutationShareAFragment() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"data":{"post":{"__typename":"Post","id":"123","title":"On GraphQL","votes":4}}}"#)
    }
    defer { server.stop() }
    let page = self.page(server)
    let response = try await page.apollo.fetch(query: PostDetailsOfQuery(id: 123))
    page.configure(with: response.data?.post?.fragments.postDetails)
    #expect(await PrintedLine.next()?.text == "configured")
    #expect(page.shown?.votes == 4)
  }

  @Test func anInputObjectIsSentAsAVariable() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"data":{"createReview":{"__typename":"Review","stars":5,"commentary":null}}}"#)
    }
    defer { server.stop() }
    page(server).review()
    await server.wait { !$0.requests.isEmpty }
    let variables = try json(server.requests.first)["variables"] as? [String: Any]
    #expect(variables?["episode"] as? String == "JEDI")
    let review = variables?["review"] as? [String: Any]
    #expect(review?["stars"] as? Int == 5)
    #expect(review?["commentary"] as? String == "This is a great movie!")
  }

  // MARK: - Uploads

  @Test func aFileIsUploaded() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.file) }
    defer { server.stop() }
    try Bundle.main.add("Hello.", as: "a.txt")
    defer { try? Bundle.main.removeAll() }  // a temporary folder
    page(server).upload()
    #expect(await PrintedLine.next()?.text == #"ID: Optional("7")"#)
    let request = try #require(server.requests.first)
    #expect(request.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(request.bodyText.contains(#""variables":{"file":null}"#))
    #expect(request.bodyText.contains(#"{"0":["variables.file"]}"#))
    #expect(request.bodyText.contains(#"name="0"; filename="a.txt""#))
    #expect(request.bodyText.contains("Content-Type: text/plain\r\n\r\nHello.\r\n"))
  }

  @Test func aFailedUploadIsReported() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 500) }
    defer { server.stop() }
    try Bundle.main.add("Hello.", as: "a.txt")
    defer { try? Bundle.main.removeAll() }  // a temporary folder
    page(server).upload()
    #expect(await PrintedLine.next()?.text.hasPrefix("error: ") == true)
  }

  @Test func aFileThatIsMissingIsNotCreated() throws {
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    #expect(GraphQLFile(fieldName: "file", originalName: "a.txt", fileURL: missing) == nil)
  }

  @Test func theMediaTypeOfAFileHasADefault() {
    let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data([1]))
    #expect(file.mimeType == "application/octet-stream")
  }

  @Test func theFilesOfAListShareTheNameOfTheirField() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"multipleUpload":[]}}"#)
    }
    defer { server.stop() }
    let files = ["a", "b"].map {
      GraphQLFile(fieldName: "files", originalName: "\($0).txt", data: Data($0.utf8))
    }
    _ = try await page(server).apollo.upload(
      operation: UploadFilesMutation(files: ["a", "b"]), files: files)
    let body = try #require(server.requests.first?.bodyText)
    #expect(body.contains(#""variables":{"files":[null,null]}"#))
    #expect(body.contains(#"{"0":["variables.files.0"],"1":["variables.files.1"]}"#))
  }

  @Test func aListWithFewerPlacesThanFilesIsAnError() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}") }
    defer { server.stop() }
    let files = ["a", "b"].map {
      GraphQLFile(fieldName: "files", originalName: $0, data: Data($0.utf8))
    }
    await #expect(throws: GraphQLHTTPRequestError.self) {
      _ = try await page(server).apollo.upload(
        operation: UploadFilesMutation(files: ["a"]), files: files)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func aFileBesideOtherVariablesIsUploaded() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"changeAvatar":{"__typename":"File","id":"7"}}}"#)
    }
    defer { server.stop() }
    let avatar = GraphQLFile(fieldName: "file", originalName: "a", data: Data([1]))
    _ = try await page(server).apollo.upload(
      operation: AvatarUploadMutation(userID: "1", file: "a"), files: [avatar])
    let body = try #require(server.requests.first?.bodyText)
    #expect(body.contains(#"{"0":["variables.file"]}"#))
    #expect(body.contains(#""userID":"1""#))
  }

  @Test func aFileInAnInputObjectIsUploaded() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(#"{"data":{"changeAvatarOf":{"__typename":"File","id":"7"}}}"#)
    }
    defer { server.stop() }
    let avatar = GraphQLFile(fieldName: "avatarObject.file", originalName: "a", data: Data([1]))
    _ = try await page(server).apollo.upload(
      operation: AvatarObjectUploadMutation(avatarObject: AvatarObject(userID: "1", file: "a")),
      files: [avatar])
    let body = try #require(server.requests.first?.bodyText)
    #expect(body.contains(#"{"0":["variables.avatarObject.file"]}"#))
  }

  @Test func bothTransportsUploadFiles() {
    let url = URL(fileURLWithPath: "/")
    let transports: [any NetworkTransport] = [
      HTTPNetworkTransport(url: url),
      RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(store: ApolloStore()), endpointURL: url),
      ApolloClient(url: url).networkTransport,
    ]
    #expect(transports.allSatisfy { $0 is any UploadingNetworkTransport })
  }
}

import ApolloCodegenLib
@testable import GraphQLLanguageServer
import GraphQLSyntax
import SeededRandom
import Testing

/// The bytes of messages, and the lifecycle of a server.
@Suite struct FramingTests {
  @Test func readsMessagesInPiecesOfAnySize() throws {
    let contents = ["{}", #"{"text": "ä\r\n\r\nContent-Length: 9"}"#, "[1]"]
    let bytes = contents.flatMap(MessageFraming.framed)
    for size in 1...bytes.count {
      var framing = MessageFraming()
      var found: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        framing.append(bytes[start..<min(start + size, bytes.count)])
        while let content = try framing.next() {
          found.append(String(decoding: content, as: UTF8.self))
        }
      }
      #expect(found == contents, "in pieces of \(size)")
    }
  }

  @Test func readsOtherHeadersAndLetterCases() throws {
    var framing = MessageFraming()
    framing.append(
      Array("Content-Type: application/x\r\ncontent-length: \t2 \r\n\r\n{}".utf8))
    #expect(try framing.next() == Array("{}".utf8))
    #expect(try framing.next() == nil)
  }

  @Test(arguments: [
    "X: 1\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "Content-Length: +2\r\n\r\n{}",
    "Content-Length: 1 2\r\n\r\n{}", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 999999999\r\n\r\n",
    String(repeating: "x", count: 5000),
  ])
  func refusesHeadersWithoutALength(_ text: String) {
    var framing = MessageFraming()
    framing.append(Array(text.utf8))
    #expect(throws: MessageFraming.Failure.self) { try framing.next() }
  }

  @Test func endsAfterAHeaderThatCannotBeRead() throws {
    let client = try TestClient()
    let received = client.receive(Array("nonsense\r\n\r\n".utf8))
    #expect(received.first?["error"]?["code"]?.number == -32700)
    #expect(client.exitCode == 1)
  }

  // MARK: - Lifecycle

  @Test func answersOnlyInitializeBeforeInitialize() throws {
    var server = LanguageServer(version: "1", fileSystem: Disk())
    let message = #"{"jsonrpc": "2.0", "id": "a", "method": "textDocument/hover"}"#
    server.receive(MessageFraming.framed(message))
    let response = try #require(TestClient.messages(in: server.run()).first)
    #expect(response["id"]?.string == "a")
    #expect(response["error"]?["code"]?.number == -32002)
  }

  @Test func endsWithZeroOnlyAfterShutdown() throws {
    let client = try TestClient()
    #expect(try client.request("shutdown", "null").kind == .null)
    let refused = try client.request("textDocument/hover", "{}")
    #expect(refused["code"]?.number == -32600)
    client.notify("exit", "null")
    #expect(client.exitCode == 0)
    let other = try TestClient()
    other.notify("exit", "null")
    #expect(other.exitCode == 1)
  }

  @Test(arguments: [
    (#"{"#, -32700), ("[]", -32600), (#"{"id": 1}"#, -32600),
    (#"{"id": {}, "method": "x"}"#, -32600), (#"{"id": 1, "method": "unknown"}"#, -32601),
    (#"{"id": 1, "method": "textDocument/hover", "params": {}}"#, -32602),
  ])
  func answersMistakesWithTheirCodes(_ message: String, _ code: Int) throws {
    let response = try #require(try TestClient().send(message).first)
    #expect(response["error"]?["code"]?.number == Double(code))
  }

  @Test func answersCancelledRequestsWithoutWork() throws {
    let client = try TestClient(["a.graphql": "{ hero { name } }"])
    let request =
      #"{"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": {}}"#
    let cancel = #"{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 7}}"#
    let received = client.receive([request, cancel].flatMap(MessageFraming.framed))
    #expect(received.first?["error"]?["code"]?.number == -32800)
  }

  @Test func theEndIsNotCancelled() throws {
    let client = try TestClient()
    let messages = [
      #"{"jsonrpc": "2.0", "id": 8, "method": "shutdown"}"#,
      #"{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 8}}"#,
      #"{"jsonrpc": "2.0", "method": "exit"}"#,
    ]
    let received = client.receive(messages.flatMap(MessageFraming.framed))
    #expect(received.first?["result"]?.kind == .null && client.exitCode == 0)
  }

  /// Numbers of JSON are whole up to 2⁵³ in many libraries, and not here.
  @Test(arguments: ["9007199254740993", "-1", #""a""#])
  func aResponseHasTheIDOfItsRequest(_ id: String) throws {
    let client = try TestClient()
    let request = #"{"jsonrpc": "2.0", "id": \#(id), "method": "textDocument/none"}"#
    #expect(client.send(request).first?["id"]?.text == id)
    let invalid = client.send(#"{"jsonrpc": "2.0", "id": \#(id)}"#)
    #expect(invalid.first?["id"]?.text == id && invalid.first?["error"]?["code"]?.number == -32600)
  }

  @Test func watchesFilesIfTheClientCan() throws {
    let capabilities =
      #"{"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}}"#
    let client = try TestClient(capabilities: capabilities)
    #expect(client.messages.contains { $0["method"]?.string == "client/registerCapability" })
  }
}

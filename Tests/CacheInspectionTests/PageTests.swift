#if SQLITE
  import ApolloAPI
  import ApolloCache
  import Foundation
  import LoopbackServer
  import Testing

  @testable import CacheInspection
  import CacheLocations

  @Suite(.timeLimit(.minutes(10))) struct PageTests {
    private let folder: CacheFolder

    init() throws { folder = try CacheFolder() }

    private func location() async throws -> CacheLocation {
      try await folder.file(
        "cache.sqlite",
        #"{"key":"QUERY_ROOT","fields":{"__typename":"Query","hero":{"$reference":"Hero:1"}}}"#,
        #"{"key":"Hero:1","fields":{"__typename":"Hero","name":"<b>Luke</b>","friend":{"$reference":"Hero:9"}},"writes":[{"time":1.0,"operation":"Hero"}]}"#,
        #"{"key":"Hero:2","fields":{"__typename":"Hero","name":"Leia"}}"#)
    }

    /// The response to a request, whose header fields are lines.
    private struct Response {
      var status = 0
      var head = ""
      var body = ""

      var json: JSONValue? { try? JSONValue(jsonBytes: Data(body.utf8)) }
    }

    /// Runs a body that blocks on a thread of its own: the server needs those of the tests.
    private func onThread<Result: Sendable>(
      _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
      }
    }

    private func get(
      _ path: String, _ server: CachePageServer, method: String = "GET", headers: String = "",
      isWithToken: Bool = true
    ) async throws -> Response {
      let url = try #require(URL(string: server.address))
      let port = try #require(url.port)
      let text = try await onThread {
        let socket = try Socket.connected(to: UInt16(port))
        defer { socket.closeDescriptor() }
        let target = isWithToken ? url.path + "/" + path : path
        let host = headers.contains("Host:") ? "" : "Host: 127.0.0.1:\(port)\r\n"
        _ = socket.send(
          Array(
            "\(method) \(target) HTTP/1.1\r\n\(host)\(headers)Connection: close\r\n\r\n".utf8))
        var bytes: [UInt8] = []
        while case let more = socket.receive(), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
      }
      let end = try #require(text.range(of: "\r\n\r\n"))
      let status = Int(text.split(separator: " ")[1]) ?? 0
      return Response(
        status: status, head: String(text[..<end.lowerBound]), body: String(text[end.upperBound...])
      )
    }

    private func withServer(
      _ body: (CachePageServer) async throws -> Void
    ) async throws {
      let server = try CachePageServer(try await CacheInspector(location()))
      do {
        try await body(server)
      } catch {
        try await onThread { server.stop() }
        throw error
      }
      try await onThread { server.stop() }
    }

    @Test func thePageIsOneFileThatLoadsNothingElse() async throws {
      try await withServer { server in
        let page = try await get("", server)
        #expect(page.status == 200 && page.body.hasPrefix("<!doctype html>"))
        #expect(page.head.contains("default-src 'none'"))
        #expect(page.head.contains("Cache-Control: no-store"))
        let token = try #require(server.address.split(separator: "/").last)
        #expect(!page.head.contains(token) && !page.body.contains(token))
        for word in ["http://", "https://", "src=", "@import", "url(", "innerHTML"] {
          #expect(!page.body.contains(word), "\(word)")
        }
      }
    }

    @Test(arguments: [
      ("", "", false, 403), ("/", "", false, 403), ("/summary", "", false, 403),
      ("/00000000000000000000000000000000/", "", false, 403),
      ("", "Origin: http://evil.example\r\n", true, 403), ("", "Origin: null\r\n", true, 403),
      ("", "Sec-Fetch-Site: cross-site\r\n", true, 403),
      ("", "Host: evil.example\r\n", true, 421), ("nothing", "", true, 404),
      ("", "Sec-Fetch-Site: none\r\n", true, 200),
      ("summary", "Sec-Fetch-Site: same-origin\r\n", true, 200),
      (
        "",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
        true, 200
      ),
      (
        "", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
        true, 403
      ),
      (
        "summary",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
        true, 403
      ),
      ("events", "", true, 404), ("state", "", true, 404),
    ])
    func othersAreRefused(path: String, headers: String, isWithToken: Bool, status: Int)
      async throws
    {
      try await withServer { server in
        let path = path.isEmpty && !isWithToken ? "/" : path
        let response = try await get(path, server, headers: headers, isWithToken: isWithToken)
        #expect(response.status == status)
        if status != 200 { #expect(!response.body.contains("Hero")) }
      }
    }

    @Test func nothingCanBeWritten() async throws {
      try await withServer { server in
        for method in ["POST", "PUT", "DELETE"] {
          let response = try await get("record", server, method: method)
          #expect(response.status == 405)
        }
      }
    }

    @Test func eachServerHasAnotherToken() async throws {
      let inspector = try await CacheInspector(location())
      let servers = try (0..<3).map { _ in try CachePageServer(inspector) }
      #expect(Set(servers.map { $0.address.split(separator: "/").last }).count == 3)
      try await onThread { for server in servers { server.stop() } }
    }

    @Test func theListHasWhatWasChosen() async throws {
      try await withServer { server in
        let cases: [(query: String, keys: [String])] = [
          ("", ["Hero:1", "Hero:2", "QUERY_ROOT"]),
          ("show=dangling", ["Hero:1"]),
          ("show=unreachable", ["Hero:2"]),
          ("show=unreadable", []),
          ("type=Query", ["QUERY_ROOT"]),
          ("operation=Hero", ["Hero:1"]),
          ("text=hero", ["Hero:1", "Hero:2"]),
          ("text=leia", []),
          ("text=leia&values=true", ["Hero:2"]),
          ("order=age&show=all", ["Hero:1", "Hero:2", "QUERY_ROOT"]),
          ("offset=1", ["Hero:2", "QUERY_ROOT"]),
          ("offset=1&count=1", ["Hero:2"]),
          ("count=0", ["Hero:1"]),
          ("show=nonsense&order=nonsense&offset=x", ["Hero:1", "Hero:2", "QUERY_ROOT"]),
          ("offset=99999999999", []),
        ]
        for (query, keys) in cases {
          let list = try await get("records?\(query)", server).json
          #expect(
            list?["records"]?.arrayValue?.compactMap { $0["key"]?.stringValue } == keys, "\(query)")
        }
        let summary = try await get("summary", server).json
        #expect(summary?["whole"]?["records"] == 3)
      }
    }

    @Test func aRecordIsShownAndSoIsAMissingOne() async throws {
      try await withServer { server in
        let record = try await get("record?key=Hero%3A1", server).json
        #expect(record?["referrers"] == [["key": "QUERY_ROOT", "field": "hero"]])
        #expect(record?["fields"]?[2]?["value"] == "<b>Luke</b>")
        let missing = try await get("record?key=Hero%3A9", server).json
        #expect(missing?["isMissing"] == true)
        #expect(missing?["referrers"] == [["key": "Hero:1", "field": "friend"]])
      }
    }

    @Test func numbersAndArgumentsKeepTheirDigits() async throws {
      let location = try await folder.file(
        "numbers.sqlite",
        #"{"key":"A","fields":{"field(id:9007199254740993)":9007199254740993}}"#)
      let server = try CachePageServer(try await CacheInspector(location))
      let record = try await get("record?key=A", server).json
      #expect(record?["fields"]?[0]?["value"] == ["$number": "9007199254740993"])
      #expect(record?["fields"]?[0]?["arguments"]?["id"] == "9007199254740993")
      try await onThread { server.stop() }
    }

    @Test(arguments: [
      ("7", "7"), ("9007199254740991", "9007199254740991"),
      ("9007199254740992", #"{"$number":"9007199254740992"}"#),
      ("-9007199254740992", #"{"$number":"-9007199254740992"}"#),
      ("[3.0]", #"[{"$number":"3.0"}]"#), (#"{"a":null,"b":["x",true]}"#, nil),
      (#"{"a":{"$reference":"B"}}"#, nil), (#"{"$double":"nan"}"#, nil),
      (#"{"$json":{"n":9007199254740993}}"#, #"{"$text":"{\"n\":9007199254740993}"}"#),
    ])
    func theBrowserGetsNumbersThatItShowsAsTheyAre(stored: String, shown: String?) throws {
      let json = try JSONValue(jsonBytes: Data(stored.utf8))
      #expect(PageValue.json(json).description == shown ?? stored)
    }

    @Test func aBrowserAsksForChangesAgainWhileTheCacheCannotBeRead() async throws {
      try await withServer { server in
        try FileManager.default.removeItem(atPath: folder.path())
        #expect(try await get("summary", server).status == 500)
        // Browsers connect again after the end of a stream, and not after an error status.
        let changes = try await get("changes", server)
        #expect(changes.status == 200 && changes.head.contains("text/event-stream"))
        #expect(!changes.body.contains("data:"))
      }
    }

    @Test func changesAreReported() async throws {
      try await withServer { server in
        let url = try #require(URL(string: server.address))
        let port = UInt16(try #require(url.port))
        let socket = try Socket.connected(to: port)
        defer { socket.closeDescriptor() }
        #expect(
          socket.send(
            Array("GET \(url.path)/changes HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n".utf8)))
        @Sendable func events(_ count: Int) async throws -> String {
          try await onThread {
            var text = ""
            while text.components(separatedBy: "data: ").count <= count {
              let more = socket.receive()
              if more.isEmpty { break }
              text += String(decoding: more, as: UTF8.self)
            }
            return text
          }
        }
        #expect(try await events(1).contains("text/event-stream"))
        let before = try await get("summary", server).json
        _ = try await folder.file("cache.sqlite", #"{"key":"Hero:3","fields":{"x":1}}"#)
        #expect(try await events(1).contains("data: "))
        let after = try await get("summary", server).json
        #expect(before?["version"] != after?["version"])
        #expect(after?["whole"]?["records"] == 4)
      }
    }
  }
#endif

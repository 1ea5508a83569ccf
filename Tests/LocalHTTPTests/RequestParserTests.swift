import LocalHTTP
import Testing

/// The requests, or the problem behind them, that a connection's bytes contain.
private struct Parsed: Equatable, CustomStringConvertible {
  var requests: [LocalRequest] = []
  var problem: RequestProblem?

  init(_ text: String, partSize: Int, limits: RequestParser.Limits = RequestParser.Limits()) {
    var parser = RequestParser(limits: limits)
    var rest = Array(text.utf8)[...]
    do throws(RequestProblem) {
      while !rest.isEmpty {
        parser.append(rest.prefix(partSize))
        rest = rest.dropFirst(partSize)
        while let request = try parser.next() { requests.append(request) }
      }
    } catch {
      problem = error
    }
  }

  /// The requests as `METHOD path body`.
  var description: String {
    requests.map { "\($0.method) \($0.path) \(String(decoding: $0.body, as: UTF8.self))|" }.joined()
      + (problem.map { " \($0.status)" } ?? "")
  }
}

@Suite struct RequestParserTests {
  /// Bytes of a connection, with `⏎` for the end of a line, and the requests in them.
  static let connections: [(bytes: String, requests: String)] = [
    ("GET / HTTP/1.1⏎Host: a⏎⏎", "GET / |"),
    ("⏎⏎GET / HTTP/1.1⏎Host: a⏎⏎", "GET / |"),
    ("GET / HTTP/1.0⏎⏎", "GET / |"),
    ("GET /a/b?c=d HTTP/1.1⏎hOST:\t a \t⏎⏎", "GET /a/b |"),
    ("GET http://a?b=c HTTP/1.1⏎Host: a⏎⏎", "GET / |"),
    ("GET HTTP://a:1/b/c?d HTTP/1.1⏎Host: a⏎⏎", "GET /b/c |"),
    ("OPTIONS * HTTP/1.1⏎Host: a⏎⏎", "OPTIONS * |"),
    (
      "POST / HTTP/1.1⏎Host: a⏎Content-Length: 5⏎⏎helloGET /2 HTTP/1.1⏎Host: a⏎⏎",
      "POST / hello|GET /2 |"
    ),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: 0⏎⏎GET /2 HTTP/1.1⏎Host: a⏎⏎", "POST / |GET /2 |"),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: 2⏎Content-Length: 2⏎⏎hi", "POST / hi|"),
    (
      "POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎2⏎he⏎3 ; x=\"y\"⏎llo⏎0⏎Trailer: 1⏎⏎GET /2 HTTP/1.1⏎Host: a⏎⏎",
      "POST / hello|GET /2 |"
    ),
    (
      "POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding:  Chunked ⏎⏎00A⏎0123456789⏎0⏎⏎",
      "POST / 0123456789|"
    ),
    // Incomplete.
    ("GET / HTTP/1.1⏎Host: a⏎", ""),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: 5⏎⏎hell", ""),
    // Wrong.
    ("GET / HTTP/1.1\nHost: a\n\n", " 400"),
    ("GET / HTTP/1.1⏎Host: a\n⏎", " 400"),
    ("GET / HTTP/1.1⏎⏎", " 400"),
    ("GET / HTTP/1.1⏎Host: a⏎Host: a⏎⏎", " 400"),
    ("GET  / HTTP/1.1⏎Host: a⏎⏎", " 400"),
    ("GET / HTTP/1.1 ⏎Host: a⏎⏎", " 400"),
    ("GET /ä HTTP/1.1⏎Host: a⏎⏎", " 400"),
    ("GE:T / HTTP/1.1⏎Host: a⏎⏎", " 400"),
    ("hello⏎⏎", " 400"),
    ("GET / HTTPS/1.1⏎Host: a⏎⏎", " 400"),
    ("GET / HTTP/2.0⏎Host: a⏎⏎", " 505"),
    ("GET / HTTP/1.1⏎Host : a⏎⏎", " 400"),
    ("GET / HTTP/1.1⏎: a⏎⏎", " 400"),
    ("GET / HTTP/1.1⏎Host: a⏎ folded⏎⏎", " 400"),
    ("GET / HTTP/1.1⏎Host: a\u{1}⏎⏎", " 400"),
    ("GET / HTTP/1.1⏎Host: a\rb⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: -1⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: +1⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: 1, 1⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: 1⏎Content-Length: 2⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: 99999999999999999999⏎⏎", " 413"),
    ("POST / HTTP/1.1⏎Host: a⏎Content-Length: 1⏎Transfer-Encoding: chunked⏎⏎", " 400"),
    ("POST / HTTP/1.0⏎Transfer-Encoding: chunked⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: gzip, chunked⏎⏎", " 501"),
    ("POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎x⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎0x1⏎a⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎1⏎ab⏎0⏎⏎", " 400"),
    ("POST / HTTP/1.1⏎Host: a⏎Transfer-Encoding: chunked⏎⏎ffffffffffffffff⏎", " 413"),
    ("GET /1 HTTP/1.1⏎Host: a⏎⏎GET⏎⏎GET /3 HTTP/1.1⏎Host: a⏎⏎", "GET /1 | 400"),
  ]

  @Test(arguments: connections)
  func findsTheSameRequestsInAnyDivisionOfTheBytes(_ connection: (bytes: String, requests: String))
  {
    let bytes = connection.bytes.replacing("⏎", with: "\r\n")
    for partSize in [bytes.utf8.count, 1, 2, 3, 7] {
      #expect(Parsed(bytes, partSize: partSize).description == connection.requests)
    }
  }

  @Test(arguments: [1, 5, 1_000])
  func limitsTheHeadAndTheBody(partSize: Int) {
    var limits = RequestParser.Limits()
    limits.headByteCount = 60
    limits.bodyByteCount = 4
    let start = "POST / HTTP/1.1\r\nHost: a\r\n"
    let length = "Content-Length: "
    let chunked = "Transfer-Encoding: chunked\r\n\r\n"
    let cases: [(String, String)] = [
      (start + length + "4\r\n\r\nabcd", "POST / abcd|"),
      (start + length + "5\r\n\r\nabcde", " 413"),
      (start + chunked + "4\r\nabcd\r\n0\r\n\r\n", "POST / abcd|"),
      (start + chunked + "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n", " 413"),
      (start + "A: " + String(repeating: "x", count: 80), " 431"),
      (start + "A: " + String(repeating: "x", count: 80) + "\r\n\r\n", " 431"),
      (start + chunked + "0\r\n" + String(repeating: "a: b\r\n", count: 20) + "\r\n", " 431"),
    ]
    for (bytes, requests) in cases {
      #expect(Parsed(bytes, partSize: partSize, limits: limits).description == requests)
    }
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close", false),
    ("HTTP/1.1", "Connection: Upgrade,  Close", false), ("HTTP/1.0", "", false),
    ("HTTP/1.0", "Connection: keep-alive", true),
  ])
  func knowsWhetherTheConnectionStaysOpen(version: String, line: String, keeps: Bool) throws {
    var parser = RequestParser()
    let lines = line.isEmpty ? "" : "\(line)\r\n"
    parser.append("GET / \(version)\r\nHost: a\r\n\(lines)\r\n".utf8)
    #expect(try parser.next()?.keepsConnection == keeps)
  }

  @Test func noticesAClientThatWaitsBeforeItSendsTheBody() throws {
    var parser = RequestParser()
    parser.append(
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n".utf8)
    #expect(try parser.next() == nil)
    #expect(parser.expectsContinue)
    parser.append("x".utf8)
    #expect(try parser.next()?.body == Array("x".utf8))
    #expect(!parser.expectsContinue)
  }

  @Test func decodesTheParametersOfAQuery() {
    let request = LocalRequest(target: "/a?q=a%20b+c&empty&x=1=2&bad=%4&u=%E2%9C%93&q=2")
    #expect(request.parameter("q") == "a b c")
    #expect(request.parameter("empty") == "")
    #expect(request.parameter("x") == "1=2")
    #expect(request.parameter("bad") == "%4")
    #expect(request.parameter("u") == "✓")
    #expect(request.parameter("none") == nil)
  }
}

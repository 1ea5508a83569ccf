import ApolloAPI
import Testing

@testable import ApolloTransport

struct BodyFramingTests {
  typealias Field = (String, String)

  private func framing(
    _ fields: [Field], version: String = "HTTP/1.1", status: Int = 200, method: String = "POST"
  ) throws(HeadViolation) -> BodyFraming {
    try BodyFraming(
      ResponseHead(
        version: version, statusCode: status,
        fields: fields.map { ResponseHead.Field(name: $0.0, value: $0.1) }),
      method: method)
  }

  @Test(
    arguments: [
      ([], .untilClose), ([("Content-Length", "5")], .length(5)),
      ([("content-length", "0")], .length(0)),
      ([("Content-Length", "5"), ("Content-Length", "5")], .length(5)),
      ([("Content-Length", "99999999999999999999")], .length(.max)),
      ([("Transfer-Encoding", "chunked")], .chunked),
      ([("Transfer-Encoding", "Chunked")], .chunked),
      ([("Transfer-Encoding", "identity"), ("Content-Length", "5")], .length(5)),
    ] as [([Field], BodyFraming)])
  func followsTheFields(_ fields: [Field], _ expected: BodyFraming) throws {
    #expect(try framing(fields) == expected)
  }

  @Test(
    arguments: [
      ([("Content-Length", "5"), ("Content-Length", "6")], .conflictingContentLengths),
      ([("Content-Length", "-5")], .contentLength), ([("Content-Length", "+5")], .contentLength),
      ([("Content-Length", "")], .contentLength), ([("Content-Length", "5, 5")], .contentLength),
      ([("Content-Length", "0x5")], .contentLength), ([("Content-Length", "٥")], .contentLength),
      ([("Transfer-Encoding", "gzip")], .transferEncoding),
      ([("Transfer-Encoding", "gzip, chunked")], .transferEncoding),
      ([("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")], .transferEncoding),
      ([("Transfer-Encoding", "xchunked")], .transferEncoding),
      (
        [("Transfer-Encoding", "chunked"), ("Content-Length", "5")],
        .contentLengthBesideTransferEncoding
      ),
    ] as [([Field], HeadViolation)])
  func refusesContradictions(_ fields: [Field], _ violation: HeadViolation) {
    #expect(throws: violation) { try framing(fields) }
  }

  @Test(arguments: ["HTTP/1.1", "HTTP/2"])
  func thereIsNoBodyWhereHTTPAllowsNone(version: String) throws {
    let fields = [("Content-Length", "5")]
    #expect(try framing(fields, version: version, status: 204) == .none)
    #expect(try framing(fields, version: version, status: 304) == .none)
    #expect(try framing(fields, version: version, method: "HEAD") == .none)
  }

  @Test func http2FramesItself() throws {
    #expect(try framing([], version: "HTTP/2") == .stream(length: nil))
    #expect(try framing([("content-length", "7")], version: "HTTP/2") == .stream(length: 7))
  }
}

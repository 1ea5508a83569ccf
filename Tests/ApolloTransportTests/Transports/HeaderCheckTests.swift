import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// Sets a header without the help of `setValue(_:forHTTPHeaderField:)`, which ignores a value
  /// with line breaks on Linux.
  fileprivate mutating func set(_ field: HeaderCheckTests.Field) {
    var fields = allHTTPHeaderFields ?? [:]
    fields[field.name] = field.value
    allHTTPHeaderFields = fields
  }
}

/// Headers that must not be sent are errors, wherever they were set.
@Suite(.timeLimit(.minutes(10)))
struct HeaderCheckTests {
  struct Field: Sendable, CustomTestStringConvertible {
    var name: String
    var value: String
    var isReserved: Bool
    var testDescription: String { name.debugDescription }

    var error: GraphQLHTTPRequestError {
      isReserved ? .reservedHeader(name: name) : .invalidHeader(name: name)
    }
  }

  static let fields = [
    Field(name: "Content-Length", value: "5", isReserved: true),
    Field(name: "Transfer-Encoding", value: "chunked", isReserved: true),
    Field(name: "Host", value: "other", isReserved: true),
    Field(name: "Connection", value: "close", isReserved: true),
    Field(name: "X-A", value: "b\r\nX-C: d", isReserved: false),
    Field(name: "X-A", value: "é", isReserved: false),
    Field(name: "X-A\r\nX-C", value: "b", isReserved: false),
  ]

  private func requests(
    _ send: (LoopbackServer, OperationRequest) async throws -> Void
  ) async throws -> Int {
    let server = try LoopbackServer { request, reply in
      if request.path == "/redirected" {
        reply.json(#"{"data":{}}"#)
      } else {
        let status = request.headers["authorization"] == nil ? 307 : 401
        reply.respond(status, headers: [("Location", "/redirected")])
      }
    }
    defer { server.stop() }
    try await send(server, OperationRequest(HeroAPI.HeroQuery()))
    return server.requests.count
  }

  @Test(arguments: fields)
  func anInterceptorCannotSetThem(_ field: Field) async throws {
    struct Setting: HTTPInterceptor {
      var field: Field

      func intercept(
        request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
      ) async throws -> HTTPResponse {
        var request = request
        request.set(field)
        return try await next(request)
      }
    }
    let count = try await requests { server, request in
      let sender = HTTPSender(
        client: .patient() as DefaultHTTPClient, interceptors: [Setting(field: field)])
      let urlRequest = try HTTPRequestFactory(endpoint: server.url()).urlRequest(for: request)
      await #expect(throws: field.error) {
        _ = try await sender.send(_OutgoingRequest(urlRequest))
      }
    }
    #expect(count == 0)
  }

  @Test(arguments: fields)
  func aDelegateCannotSetThem(_ field: Field) async throws {
    final class Setting: HTTPNetworkTransportPreflightDelegate {
      let field: Field
      init(_ field: Field) { self.field = field }

      func networkTransport(
        _ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest
      ) -> Bool { true }

      func networkTransport(
        _ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest
      ) {
        request.set(field)
      }
    }
    let delegate = Setting(field)
    let count = try await requests { server, request in
      let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
      transport.delegate = delegate
      await #expect(throws: field.error) { try await transport.send(request) }
    }
    #expect(count == 0)
  }

  @Test(arguments: fields)
  func aHookOfTheClientCannotSetThem(_ field: Field) async throws {
    final class Setting: DefaultHTTPClient, @unchecked Sendable {
      // Because it is set before the first request.
      var field: Field?

      override func redirect(
        _ request: URLRequest, after response: HTTPURLResponse
      ) async throws -> URLRequest? { changed(request) }

      override func authorize(
        _ request: URLRequest, after response: HTTPURLResponse
      ) async throws -> URLRequest? { changed(request) }

      private func changed(_ request: URLRequest) -> URLRequest {
        var request = request
        if let field { request.set(field) }
        return request
      }
    }
    for headers in [[:], ["Authorization": "old"]] {
      let count = try await requests { server, request in
        let client = Setting(limits: TransferLimits(deadline: nil))
        client.field = field
        let transport = HTTPNetworkTransport(
          url: server.url(), client: client, additionalHeaders: headers)
        await #expect(throws: field.error) { try await transport.send(request) }
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: ["", " ", "\t ", "a", " a "])
  func aValueIsNeverLeftOut(_ value: String) async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{}}"#) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    _ = try await transport.send(
      OperationRequest(HeroAPI.HeroQuery(), additionalHeaders: ["X-A": value]))
    let sent = try #require(server.requests.first?.headers["x-a"])
    // White space around a value does not belong to it.
    #expect(
      sent.trimmingCharacters(in: .whitespaces) == value.trimmingCharacters(in: .whitespaces))
  }
}

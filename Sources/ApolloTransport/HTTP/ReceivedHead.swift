import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The head of a response as a client received it.
///
/// Foundation's form is made when a program asks for it: on Linux, making it takes as long as the
/// rest of the client's work for a small response.
enum ReceivedHead: Sendable {
  case parsed(ResponseHead, url: URL)
  case foundation(HTTPURLResponse)

  var statusCode: Int {
    switch self {
    case .parsed(let head, _): head.statusCode
    case .foundation(let response): response.statusCode
    }
  }

  /// The same head, whose status is a success.
  var succeeding: ReceivedHead {
    switch self {
    case _ where (200..<300).contains(statusCode): return self
    case .parsed(var head, let url):
      head.statusCode = 200
      return .parsed(head, url: url)
    case .foundation(let response):
      let fields = details.headers
      let url = response.url ?? URL(fileURLWithPath: "/")
      return HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields
      ).map { .foundation($0) } ?? self
    }
  }

  /// Foundation's form of the head.
  var foundation: HTTPURLResponse {
    switch self {
    case .foundation(let response): return response
    case .parsed(let head, let url):
      let response = HTTPURLResponse(
        url: url, statusCode: head.statusCode, httpVersion: head.version,
        headerFields: head.fieldsByName)
      guard let response else {
        preconditionFailure("Foundation makes a response of every status and every field.")
      }
      return response
    }
  }

  /// The value of a field, whose name is given in lower case. Equally named ones are joined by
  /// commas.
  func value(of name: String) -> String? {
    switch self {
    case .foundation(let response): return response.value(forHTTPHeaderField: name)
    case .parsed(let head, _): return head.value(of: name)
    }
  }

  /// The status and the fields for programs.
  var details: HTTPDetails {
    switch self {
    case .foundation(let response):
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        if let name = name as? String, let value = value as? String { headers[name] = value }
      }
      return HTTPDetails(statusCode: response.statusCode, headers: headers)
    case .parsed(let head, _):
      return HTTPDetails(statusCode: head.statusCode, fields: head.fields)
    }
  }
}

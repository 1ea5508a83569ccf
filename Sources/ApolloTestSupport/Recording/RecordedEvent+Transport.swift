internal import ApolloAPI
import ApolloRecording
import ApolloTransport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The parts of events that are made of, and made into, the values of transports.

extension RecordedEvent.Request {
  init(_ request: OperationRequest) {
    let type = Swift.type(of: request.operation)
    let part = request.facts.completion
    let variables = part?.variables(of: request.operation) ?? request.operation.sentVariables
    self.init(
      type: type.operationType.rawValue, operation: type.operationName,
      variables: .object(
        Dictionary(variables.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })),
      headers: request.additionalHeaders, files: request.files.map(\.originalName),
      document: part?.text
        ?? type.operationDocument.definition?.queryDocument)
  }
}

extension RecordedEvent.Response {
  init(_ response: NetworkResponse) {
    self.init(
      status: response.http?.statusCode, url: response.url?.textWithoutSecrets,
      headers: response.http?.headers ?? [:], isPartial: response.isPartial,
      lacksElements: response.lacksElements, body: Array(response.body))
  }

  var networkResponse: NetworkResponse {
    var response = NetworkResponse(
      body: Data(body), http: status.map { HTTPDetails(statusCode: $0, headers: headers) },
      url: url.flatMap { URL(string: $0) })
    response.isPartial = isPartial
    response.lacksElements = lacksElements
    return response
  }
}

extension RecordedEvent.Failure {
  init(_ error: any Error) {
    let type = "\(Swift.type(of: error))"
    switch error {
    case let error as NetworkError:
      self.init(
        type: type, message: "\(error)",
        facts: [
          "code": .string(error.code.description), "url": .string(error.url),
          "detail": .string(error.detail), "responseHadBegun": .bool(error.responseHadBegun),
          "urlErrorCode": error.urlErrorCode.map { .int(Int64($0.rawValue)) } ?? .null,
        ])
    case let error as GraphQLHTTPResponseError:
      var headers: [String: String] = [:]
      for (name, value) in error.response.allHeaderFields { headers["\(name)"] = "\(value)" }
      self.init(
        type: type, message: "\(error)", facts: ["kind": .string(error.kind.description)],
        response: RecordedEvent.Response(
          status: error.statusCode, url: error.url, headers: headers, body: Array(error.body)))
    default: self.init(type: type, message: "\(error)")
    }
  }

  /// The error that was recorded, or a ``ReplayedError`` for errors that cannot be made again.
  var error: any Error {
    let url = response?.url ?? facts["url"]?.stringValue
    switch type {
    case "NetworkError":
      let code = NetworkError.Code.all.first { $0.description == facts["code"]?.stringValue }
      guard let code else { break }
      return NetworkError(
        code, url: url.flatMap { URL(string: $0) }, detail: facts["detail"]?.stringValue ?? "",
        urlErrorCode: facts["urlErrorCode"]?.intValue.flatMap { URLError.Code(rawValue: $0) },
        responseHadBegun: facts["responseHadBegun"]?.boolValue ?? false)
    case "GraphQLHTTPResponseError":
      let kinds: [GraphQLHTTPResponseError.Kind] = [
        .errorResponse, .unexpectedContentType, .emptyBody,
      ]
      guard let response, let status = response.status,
        let kind = kinds.first(where: { $0.description == facts["kind"]?.stringValue }),
        let url = url.flatMap({ URL(string: $0) }),
        let head = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: nil, headerFields: response.headers)
      else { break }
      return GraphQLHTTPResponseError(kind, head: head, body: Data(response.body), url: url)
    default: break
    }
    return ReplayedError(typeName: type, description: message)
  }
}

extension NetworkError.Code {
  fileprivate static let all: [NetworkError.Code] = [
    .hostNotFound, .cannotConnect, .offline, .insecure, .proxyFailed, .timedOut, .deadlineExceeded,
    .connectionLost, .malformedResponse, .responseTooLarge, .redirectRefused, .notHTTP,
    .connectionLimit, .routeNotOpened, .invalidated,
  ]
}

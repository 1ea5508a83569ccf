import ApolloAPI

extension CallEvent {
  /// The value of an attribute of a span.
  public enum Attribute: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A number.
    case int(Int)
  }
}

// The names are those of OpenTelemetry's semantic conventions for HTTP clients and GraphQL.
extension CallEvent.Call {
  /// The name of the call's span: the kind and the name of the operation, such as `query Hero`.
  public var spanName: String { "\(operationType.rawValue) \(operationName)" }
}

extension CallEvent {
  /// The attributes that the event adds to the span of its call, by their names in OpenTelemetry.
  ///
  /// | event | attributes |
  /// | :-- | :-- |
  /// | ``Kind/began`` | `graphql.operation.name`, `graphql.operation.type` |
  /// | ``Kind/requestBuilt(_:)`` | `http.request.method`, `url.full`, `server.address`, `server.port`, `http.request.body.size` |
  /// | ``Kind/retried(after:)`` | `http.request.resend_count` |
  /// | ``Kind/firstByte(_:)`` | `http.response.status_code` |
  /// | ``Kind/received(byteCount:)`` | `http.response.body.size` |
  /// | ``Kind/failed(_:)`` | `error.type` |
  public var attributes: [(name: String, value: Attribute)] {
    switch kind {
    case .began:
      return [
        ("graphql.operation.name", .string(call.operationName)),
        ("graphql.operation.type", .string(call.operationType.rawValue)),
      ]
    case .requestBuilt(let request):
      let optional: [(String, Attribute?)] = [
        ("http.request.method", .string(request.method)),
        ("url.full", .string(request.url)),
        ("server.address", request.host.map { .string($0) }),
        ("server.port", request.port.map { .int($0) }),
        ("http.request.body.size", request.bodyByteCount.map { .int($0) }),
      ]
      return optional.compactMap { name, value in value.map { (name, $0) } }
    case .retried: return [("http.request.resend_count", .int(attempt))]
    case .firstByte(let response):
      return [("http.response.status_code", .int(response.statusCode))]
    case .received(let byteCount): return [("http.response.body.size", .int(byteCount))]
    case .failed(let error): return [("error.type", .string("\(type(of: error))"))]
    default: return []
    }
  }
}

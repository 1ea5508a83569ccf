import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests that can be sent as one: their bodies become the elements of an array.
struct RequestBatch {
  /// The facts that all requests of a batch share.
  struct Key: Hashable {
    var url: URL
    var headers: [String: String]

    /// Creates the key of a request, or returns `nil` if it cannot be sent in a batch.
    init?(_ request: URLRequest) {
      guard request.httpMethod == "POST", let url = request.url, request.httpBody != nil,
        request.value(forHTTPHeaderField: "Content-Type") == "application/json"
      else { return nil }
      self.url = url
      headers = [:]
      for (name, value) in request.allHTTPHeaderFields ?? [:] {
        let name = name.lowercased()
        if RequestBatch.headersOfOneBody.contains(name) { return nil }
        if !RequestBatch.headersOfOneQuery.contains(name) { headers[name] = value }
      }
    }
  }

  /// The headers that differ between the requests of a batch.
  static let headersOfOneQuery: Set = [
    "x-apollo-operation-name", "x-apollo-operation-id", "x-apollo-operation-type", "traceparent",
    "tracestate",
  ]

  /// The headers that describe the bytes of one body, such as their compression. They are wrong for
  /// an array that contains it.
  static let headersOfOneBody: Set = [
    "content-encoding", "content-digest", "content-md5", "digest", "repr-digest",
  ]

  /// `true` if a single request is sent in an array too.
  let alwaysMakesArrays: Bool

  init(alwaysMakesArrays: Bool = false) { self.alwaysMakesArrays = alwaysMakesArrays }

  /// `true` if the body of the request is an array.
  var makesArray: Bool { alwaysMakesArrays || requests.count > 1 }

  /// The requests, in the order in which they were made.
  private(set) var requests: [(caller: Int, request: URLRequest)] = []

  /// The size of the array.
  var byteCount: Int { requests.reduce(1) { $0 + Self.byteCount(of: $1.request) } }

  /// The size of a request's element, with the comma or the bracket behind it.
  static func byteCount(of request: URLRequest) -> Int { (request.httpBody?.count ?? 0) + 1 }

  /// The longest time that one of the calls may take, if one says so.
  private(set) var timeout: Duration?

  /// `true` if the connection of one of the requests ended as it was used again.
  private(set) var needsNewConnection = false

  /// Adds a request of the current task.
  mutating func append(_ request: URLRequest, caller: Int, timeout: Duration? = nil) {
    requests.append((caller, request))
    if TransferLimits.needsNewConnection { needsNewConnection = true }
    if let timeout { self.timeout = max(timeout, self.timeout ?? .zero) }
  }

  mutating func remove(caller: Int) { requests.removeAll { $0.caller == caller } }

  /// One request for all. A single one stays as it is, unless it is sent in an array too.
  ///
  /// It has the trace of the first query, and the longest silence of any. The name of an operation
  /// is left out, because there are several.
  var merged: URLRequest {
    guard var merged = requests.first?.request else {
      preconditionFailure("A batch has a request.")
    }
    guard makesArray else { return merged }
    var body = Data("[".utf8)
    body.reserveCapacity(byteCount)
    for (index, element) in requests.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      body.append(element.request.httpBody ?? Data())
    }
    body.append(UInt8(ascii: "]"))
    merged.httpBody = body
    if requests.count == 1 { return merged }
    for name in ["X-Apollo-Operation-Name", "X-Apollo-Operation-Id"] {
      merged.setValue(nil, forHTTPHeaderField: name)
    }
    merged.timeoutInterval = requests.map(\.request.timeoutInterval).max() ?? 0
    return merged
  }
}

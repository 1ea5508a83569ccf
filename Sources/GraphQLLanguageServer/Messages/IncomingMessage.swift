import GraphQLSyntax

/// A message from the client.
enum IncomingMessage {
  case request(id: RequestID, method: String, params: IndexedJSON.Value?)
  case notification(method: String, params: IndexedJSON.Value?)
  /// A response to a request of the server, none of which needs one.
  case response

  /// Reads the content of a message.
  ///
  /// - Throws: ``RequestError`` if it is not a message of JSON-RPC 2.0.
  init(_ content: [UInt8]) throws(RequestError) {
    let json: IndexedJSON.Value
    do {
      json = try IndexedJSON(content).root
    } catch {
      throw RequestError(.parseError, error.message)
    }
    guard json.kind == .object else {
      throw RequestError(.invalidRequest, "A message is an object.")
    }
    let id = json["id"].flatMap(RequestID.init)
    guard let method = json["method"]?.string else {
      if json["result"] != nil || json["error"] != nil {
        self = .response
      } else if let id {
        self = .request(id: id, method: "", params: nil)
      } else {
        throw RequestError(.invalidRequest, "A message has a method.")
      }
      return
    }
    if let id {
      self = .request(id: id, method: method, params: json["params"])
    } else if json["id"] == nil {
      self = .notification(method: method, params: json["params"])
    } else {
      throw RequestError(.invalidRequest, "The ID of a request is a number or a string.")
    }
  }
}

/// The identity of a request, which its response repeats.
enum RequestID: Hashable {
  case number(Int)
  case string(String)

  init?(_ value: IndexedJSON.Value) {
    if let text = value.string {
      self = .string(text)
    } else if let number = Int(String(decoding: value.source, as: UTF8.self)) ?? value.integer {
      self = .number(number)
    } else {
      return nil
    }
  }

  var json: JSONOutput {
    switch self {
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    }
  }
}

/// An error that a request is answered with.
struct RequestError: Error, Hashable {
  /// The codes of JSON-RPC 2.0 and of the Language Server Protocol.
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case serverNotInitialized = -32002
    case requestCancelled = -32800
    case requestFailed = -32803
  }

  var code: Code
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension IndexedJSON.Value {
  /// The value of a whole number, or `nil` for others.
  var integer: Int? { number.flatMap { Int(exactly: $0) } }
}

package import ApolloAPI

/// The status and the fields of a response.
package struct ResponseHead: Hashable, Sendable {
  package typealias Field = HTTPField

  /// The version as the status line names it, such as "HTTP/1.1".
  package var version: String
  package var statusCode: Int
  /// The fields in their order, with repetitions.
  package var fields: [Field] = []

  /// `true` if the connection has one request at a time.
  var isHTTP1: Bool { version.hasPrefix("HTTP/1") }

  /// The values of all fields with a name, which is given in lower case.
  package func values(of name: String) -> [String] {
    guard hasField(name) else { return [] }
    return fields.filter { $0.lowercaseName == name }.map(\.value)
  }

  /// The values of all fields with a name, which is given in lower case, joined by commas, or
  /// `nil` if there is no such field.
  func value(of name: String) -> String? {
    var value: String?
    for field in fields where field.lowercaseName == name {
      value = value.map { "\($0), \(field.value)" } ?? field.value
    }
    return value
  }

  /// Returns `true` if there is a field with a name, which is given in lower case.
  func hasField(_ name: String) -> Bool { fields.contains { $0.lowercaseName == name } }

  /// The fields by name. Equally named ones are joined by commas (RFC 9110, section 5.3).
  var fieldsByName: [String: String] {
    var spellings: [String: String] = [:]
    return joinedFields { field in
      if let spelling = spellings[field.lowercaseName] { return spelling }
      spellings[field.lowercaseName] = field.name
      return field.name
    }
  }

  private func joinedFields(_ key: (Field) -> String) -> [String: String] {
    var values = [String: String](minimumCapacity: fields.count)
    for field in fields {
      let key = key(field)
      if let value = values.updateValue(field.value, forKey: key) {
        values[key] = "\(value), \(field.value)"
      }
    }
    return values
  }
}

/// A rule of HTTP that the head of a response breaks.
package enum HeadViolation: Error, Hashable, Sendable {
  case statusLine
  case version
  case fieldName
  case controlCharacter
  case foldedLine
  case contentLength
  case conflictingContentLengths
  case contentLengthBesideTransferEncoding
  case transferEncoding
  case contentEncoding
  case switchedProtocols
  case tooManyBytes(limit: Int)
  case tooManyFields(limit: Int)

  /// The violation as a clause of a sentence.
  package var clause: String {
    switch self {
    case .statusLine: "the status line is malformed"
    case .version: "the status line names a version of HTTP that the connection does not use"
    case .fieldName: "a header has a malformed name"
    case .controlCharacter: "a header contains a control character"
    case .foldedLine: "a header continues on a second line"
    case .contentLength: "the Content-Length is not a number"
    case .conflictingContentLengths: "there are different values of Content-Length"
    case .contentLengthBesideTransferEncoding: "there are a Content-Length and a Transfer-Encoding"
    case .transferEncoding: "the Transfer-Encoding is unknown"
    case .contentEncoding: "the Content-Encoding is unknown"
    case .switchedProtocols: "the server switches to another protocol"
    case .tooManyBytes(let limit): "the headers are larger than \(limit) bytes"
    case .tooManyFields(let limit): "there are more than \(limit) headers"
    }
  }
}

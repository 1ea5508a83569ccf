/// The status and the fields of a response.
package struct ResponseHead: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String

    /// Compares names without making strings: this runs for every field of every response.
    func isNamed(_ lowercaseName: String) -> Bool {
      name.utf8.count == lowercaseName.utf8.count
        && zip(name.utf8, lowercaseName.utf8).allSatisfy { byte, lowercase in
          byte == lowercase || (0x41...0x5A).contains(byte) && byte | 0x20 == lowercase
        }
    }
  }

  /// The version as the status line names it, such as "HTTP/1.1".
  package var version: String
  package var statusCode: Int
  /// The fields in their order, with repetitions.
  package var fields: [Field] = []

  /// `true` if the connection has one request at a time.
  var isHTTP1: Bool { version.hasPrefix("HTTP/1") }

  /// The values of all fields with a name, which is given in lower case.
  package func values(of name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }

  /// The fields by name. Equally named ones are joined by commas (RFC 9110, section 5.3).
  var fieldsByName: [String: String] {
    var spellings: [String: String] = [:]
    return joinedFields { name in
      let lowercaseName = name.lowercased()
      if let spelling = spellings[lowercaseName] { return spelling }
      spellings[lowercaseName] = name
      return name
    }
  }

  /// The fields by name in lower case. Equally named ones are joined by commas.
  var fieldsByLowercaseName: [String: String] { joinedFields { $0.lowercased() } }

  private func joinedFields(_ key: (String) -> String) -> [String: String] {
    var values = [String: String](minimumCapacity: fields.count)
    for field in fields {
      let key = key(field.name)
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

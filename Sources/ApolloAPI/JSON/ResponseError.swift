/// A response that could not be read.
public struct ResponseError: Error, Hashable, Sendable {
  /// What is wrong.
  public var problem: Problem
  /// Where in the data, from the root of the operation; empty when the response as a whole is meant.
  public var path: [PathEntry]
  /// How many bytes of the response come before the place; `nil` when it was not read from bytes.
  public var byteOffset: Int?

  /// What can be wrong with a response.
  public enum Problem: Hashable, Sendable {
    /// The bytes are not JSON (RFC 8259); the text says what was expected.
    case malformedJSON(String)
    /// The JSON is not what a GraphQL server answers; the text says in which way.
    case notAResponse(String)
    /// A field that was asked for is not there.
    case missingValue
    /// A null where the schema rules it out, without an error that would explain it.
    case nullValue
    /// A value of another kind than the field's type.
    case wrongType(expected: String, found: String)
    /// A number that the field's type cannot hold.
    case numberOutOfRange(String)
    /// A value that a custom scalar refuses; the text is the scalar's.
    case invalidScalar(String)
    /// More nested objects and lists than the limit.
    case tooDeep(limit: Int)
    /// More bytes than the limit.
    case tooLarge(limit: Int)
  }

  /// A problem at a place.
  public init(_ problem: Problem, path: [PathEntry] = [], byteOffset: Int? = nil) {
    self.problem = problem
    self.path = path
    self.byteOffset = byteOffset
  }
}

extension ResponseError: CustomStringConvertible {
  /// What was found, where, and what to do about it.
  public var description: String {
    var text = problem.sentence
    if !path.isEmpty { text = "'\(path.dotted)': \(text)" }
    if let byteOffset { text += " (byte \(byteOffset))" }
    return text
  }
}

extension ResponseError.Problem {
  var sentence: String {
    switch self {
    case .malformedJSON(let expected):
      "the response is not valid JSON: \(expected)"
    case .notAResponse(let reason):
      "the response is JSON but not a GraphQL response: \(reason)"
    case .missingValue:
      "the value is missing; does the server know the field that was asked for?"
    case .nullValue:
      "found null where the schema rules it out, and no error that would explain it; "
        + "compare the schema that code was generated from with the server's"
    case .wrongType(let expected, let found):
      "found \(found) where \(expected) is expected; "
        + "compare the schema that code was generated from with the server's"
    case .numberOutOfRange(let text):
      "found the number \(text), which is out of range for the field's type; "
        + "map large numbers to a custom scalar"
    case .invalidScalar(let reason):
      "the custom scalar refused the value: \(reason)"
    case .tooDeep(let limit):
      "more than \(limit) nested objects and lists; raise ResponseLimits.depth if that is intended"
    case .tooLarge(let limit):
      "more than \(limit) bytes; raise ResponseLimits.byteCount if that is intended"
    }
  }
}

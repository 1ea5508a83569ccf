/// An error of a response that cannot be read.
///
/// ```swift
/// do {
///   let response = try ResponseDecoder().decode(bytes, as: HeroQuery())
/// } catch {
///   print(error.path.dotted, error.problem)  // hero.height missingValue
/// }
/// ```
public struct ResponseError: Error, Hashable, Sendable {
  /// The problem.
  public var problem: Problem
  /// The path in the data, from the root of the operation; empty for a problem of the whole
  /// response.
  public var path: [PathEntry]
  /// The offset of the problem in the bytes of the response; `nil` when it was not read from bytes.
  public var byteOffset: Int?
  /// The server that sent the response; `nil` if it did not come from a network.
  public var source: Source?
  /// The errors that the server reports in the response. They often say why its data cannot be
  /// read.
  public var graphQLErrors: [GraphQLError] = []

  /// The facts about a response that its sender has to explain.
  public struct Source: Hashable, Sendable {
    /// The URL, without user, password, query and fragment.
    public var url: String?
    /// The status, such as 200, if the response came over HTTP.
    public var statusCode: Int?
    /// The value of the header `Content-Type`.
    public var contentType: String?

    /// Creates the facts about a response.
    public init(url: String? = nil, statusCode: Int? = nil, contentType: String? = nil) {
      self.url = url
      self.statusCode = statusCode
      self.contentType = contentType
    }
  }

  /// A problem of a response.
  public enum Problem: Hashable, Sendable {
    /// The bytes are not JSON (RFC 8259). The text names what was expected.
    case malformedJSON(String)
    /// The JSON is not a GraphQL response. The text names the difference.
    case notAResponse(String)
    /// A selected field is missing.
    case missingValue
    /// A null that the schema rules out and no error explains.
    case nullValue
    /// The kind of the value does not match the field's type.
    case wrongType(expected: String, found: String)
    /// A number that the field's type cannot hold.
    case numberOutOfRange(String)
    /// A custom scalar rejects the value. The text is the scalar's.
    case invalidScalar(String)
    /// More nested objects and lists than the limit.
    case tooDeep(limit: Int)
    /// More bytes than the limit.
    case tooLarge(limit: Int)
  }

  /// Creates an error.
  public init(_ problem: Problem, path: [PathEntry] = [], byteOffset: Int? = nil) {
    self.problem = problem
    self.path = path
    self.byteOffset = byteOffset
  }
}

extension ResponseError: CustomStringConvertible {
  /// A sentence with the problem, its path, and a remedy.
  public var description: String {
    var text = problem.sentence
    if !path.isEmpty { text = "'\(path.dotted)': \(text)" }
    if let byteOffset { text += " (byte \(byteOffset))" }
    if let clause = source?.clause { text += "; \(clause)" }
    // Like the body of a response, the server's words can hold secrets.
    switch graphQLErrors.count {
    case 0: break
    case 1: text += "; the server reports an error, see 'graphQLErrors'"
    case let count: text += "; the server reports \(count) errors, see 'graphQLErrors'"
    }
    return text
  }
}

extension ResponseError.Source {
  /// The facts as a clause, or `nil` if there are none.
  fileprivate var clause: String? {
    let status = statusCode.map { "status \($0)" }
    let facts = [status, contentType].compactMap { $0 }.joined(separator: " and ")
    switch (url, facts.isEmpty) {
    case (nil, true): return nil
    case (nil, false): return "the response has \(facts)"
    case (let url?, true): return "the response is from \(url)"
    case (let url?, false): return "the response is from \(url), with \(facts)"
    }
  }
}

extension ResponseError.Problem {
  private static let fileAdvice =
    "; the scalar's file in the folder 'Schema/CustomScalars' names its Swift type, and is yours "
    + "to edit"

  private static let scalarAdvice =
    ", or, for a custom scalar, name another Swift type in its file in the folder "
    + "'Schema/CustomScalars'"

  /// Returns `true` if the field may have a custom scalar, which is text unless its file says more.
  private func isOfScalar(_ expected: String, _ found: String) -> Bool {
    expected == "a string" && (found == "an object" || found == "a list")
  }

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
        + (isOfScalar(expected, found) ? Self.scalarAdvice : "")
    case .numberOutOfRange(let text):
      "found the number \(text), which is out of range for the field's type; "
        + "map large numbers to a custom scalar"
    case .invalidScalar(let reason):
      "the custom scalar refused the value: \(reason)"
        // Enums are read in the same way, and have no such file.
        + (reason.hasSuffix("an enum value is expected") ? "" : Self.fileAdvice)
    case .tooDeep(let limit):
      "more than \(limit) nested objects and lists; raise ResponseLimits.depth if that is intended"
    case .tooLarge(let limit):
      "more than \(limit) bytes; raise ResponseLimits.byteCount if that is intended"
    }
  }
}

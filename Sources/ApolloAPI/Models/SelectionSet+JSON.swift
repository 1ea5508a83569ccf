/// A JSON object as Foundation's `JSONSerialization` reads and writes it.
///
/// Values are `String`, `Int`, `Double`, `Bool`, `NSNull`, `[Any]` and `[String: Any]`.
public typealias JSONObject = [String: Any]

extension SelectionSet {
  /// What the view shows, for `JSONSerialization.data(withJSONObject:)`.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var jsonObject: JSONObject {
    __object.members(asSeenBy: Self.__layout).reduce(into: [:]) {
      $0[$1.key] = $1.value.foundationValue
    }
  }

  /// What the view shows, as UTF-8 text: the keys in the order of the selections, the same bytes for the same values.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var jsonBytes: [UInt8] {
    __object.jsonBytes(visible: __object.visibleLayout(asSeenBy: Self.__layout))
  }
}

extension RootSelectionSet {
  /// A model from an object that ``SelectionSet/jsonObject`` made, or that `JSONSerialization` read.
  ///
  /// Everything is checked as in a response, except that fields that may be null may also be left out.
  ///
  /// - Parameters:
  ///   - jsonObject: the object.
  ///   - variables: the values of the variables that `@include` and `@skip` depend on.
  /// - Throws: a ``ResponseError``, or a ``ScalarError`` when there is something in the object that is not JSON.
  public init(jsonObject: JSONObject, variables: Variables? = nil) throws {
    try self.init(jsonValue: try JSONValue(foundationValue: jsonObject), variables: variables)
  }

  /// A model from a JSON value. Everything is checked as in ``init(jsonObject:variables:)``.
  ///
  /// - Throws: a ``ResponseError``.
  public init(jsonValue: JSONValue, variables: Variables? = nil) throws(ResponseError) {
    var writer = JSONWriter()
    writer.write(jsonValue)
    try self.init(jsonBytes: writer.bytes, variables: variables)
  }

  /// A model from JSON text. Everything is checked as in ``init(jsonObject:variables:)``.
  ///
  /// - Throws: a ``ResponseError``.
  public init(jsonBytes: [UInt8], variables: Variables? = nil) throws(ResponseError) {
    let object = try ResponseDecoder().decodeObject(
      jsonBytes, as: Self.__layout, schema: Schema.self, variables: variables)
    self.init(__object: object)
  }
}

// MARK: - Codable

extension RootSelectionSet {
  /// Reads the object that ``encode(to:)`` wrote.
  ///
  /// Models with `@include` or `@skip` need to know the variables: `decoder.userInfo[.graphQLVariables] = query.__variables`.
  public init(from decoder: any Decoder) throws {
    let variables = decoder.userInfo[.graphQLVariables] as? Variables
    try self.init(jsonValue: try JSONValue(from: decoder), variables: variables)
  }

  /// Writes what the view shows, as an object with the response keys.
  public func encode(to encoder: any Encoder) throws {
    try jsonValue.encode(to: encoder)
  }
}

extension CodingUserInfoKey {
  // The key is never nil: any text makes one.
  /// The ``Variables`` of the operation whose model is decoded.
  public static let graphQLVariables = CodingUserInfoKey(rawValue: "org.apollo-swift.variables")!
}

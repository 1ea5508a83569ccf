/// A JSON object in the form of Foundation's `JSONSerialization`.
///
/// Values are `String`, `Int`, `Double`, `Bool`, `NSNull`, `[Any]` and `[String: Any]`.
public typealias JSONObject = [String: Any]

extension SelectionSet {
  /// The fields of the view, for `JSONSerialization.data(withJSONObject:)`.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var jsonObject: JSONObject {
    __object.foundationObject(visible: __object.visibleLayout(asSeenBy: Self.__layout))
  }

  /// The fields of the view as JSON text in UTF-8, in the order of the selections. Equal values
  /// give the same bytes.
  ///
  /// - Complexity: O(*n*) in the fields below.
  public var jsonBytes: [UInt8] {
    __object.jsonBytes(visible: __object.visibleLayout(asSeenBy: Self.__layout))
  }
}

extension RootSelectionSet {
  /// Creates a model from an object of ``SelectionSet/jsonObject`` or `JSONSerialization`.
  ///
  /// The object is checked like a response, except that nullable fields may be left out.
  ///
  /// - Parameters:
  ///   - jsonObject: the object.
  ///   - variables: the values of the variables that `@include` and `@skip` depend on.
  /// - Throws: A ``ResponseError``, or a ``ScalarError`` when the object contains anything but
  ///   JSON.
  public init(jsonObject: JSONObject, variables: Variables? = nil) throws {
    try self.init(jsonValue: try JSONValue(foundationValue: jsonObject), variables: variables)
  }

  /// Creates a model from a JSON value, which is checked as in ``init(jsonObject:variables:)``.
  ///
  /// - Throws: a ``ResponseError``.
  public init(jsonValue: JSONValue, variables: Variables? = nil) throws(ResponseError) {
    var writer = JSONWriter()
    writer.write(jsonValue)
    try self.init(jsonBytes: writer.bytes, variables: variables)
  }

  /// Creates a model from JSON text, which is checked as in ``init(jsonObject:variables:)``.
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
  /// Decodes the object that ``encode(to:)`` encoded.
  ///
  /// Models with `@include` or `@skip` require the variables: `decoder.userInfo[.graphQLVariables]
  /// = query.__variables`.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public init(from decoder: any Decoder) throws {
    let variables = decoder.userInfo[.graphQLVariables] as? Variables
    try self.init(jsonValue: try JSONValue(from: decoder), variables: variables)
  }

  /// Encodes the fields of the view as an object with the response keys.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode(to encoder: any Encoder) throws {
    try jsonValue.encode(to: encoder)
  }
}

extension CodingUserInfoKey {
  // Any text makes a key.
  /// The ``Variables`` of the operation whose model is decoded.
  public static let graphQLVariables = CodingUserInfoKey(rawValue: "org.apollo-swift.variables")!
}

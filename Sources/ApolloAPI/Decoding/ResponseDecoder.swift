package import protocol Foundation.ContiguousBytes

/// Reads GraphQL responses from bytes straight into models.
///
/// Use a decoder when responses come from elsewhere than an `ApolloClient`, such as a file or a
/// test.
///
/// ```swift
/// let response = try ResponseDecoder().decode(bytes, as: HeroQuery(episode: .case(.jedi)))
/// ```
public struct ResponseDecoder: Sendable {
  /// The limits for the size and the depth of a response.
  public var limits: ResponseLimits

  /// Creates a decoder.
  public init(limits: ResponseLimits = ResponseLimits()) {
    self.limits = limits
  }

  @usableFromInline
  func read(
    _ bytes: UnsafeRawBufferPointer, layout: SelectionLayout, schema: any SchemaMetadata.Type,
    variables: Variables?
  ) -> ResponseBody {
    read(bytes, layout: layout, schema: schema, variables: variables, observer: nil)
  }

  func read(
    _ bytes: UnsafeRawBufferPointer, layout: SelectionLayout, schema: any SchemaMetadata.Type,
    variables: Variables?, observer: (any ResponseObserver)?
  ) -> ResponseBody {
    let root = layout.position(schema: schema, variables: variables)
    do throws(ReadFailure) {
      return try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        var reader = ResponseBodyReader(root: root, observer: observer)
        var body = try reader.read(&json)
        if let errors = body.errors { observer?.didRead(errors) }
        body.containFieldErrors(in: layout)
        return body
      }
    } catch {
      var failure = error.error
      failure.graphQLErrors = errors(in: bytes) ?? []
      return ResponseBody(failure: failure)
    }
  }

  /// Returns the errors of a response whose data is not needed, such as one with a failure status.
  ///
  /// - Returns: `nil` when the bytes are not a response with errors.
  package func errors(in bytes: some ContiguousBytes) -> [GraphQLError]? {
    // Bytes that are no response have no errors, so the reason that they cannot be read does not
    // matter.
    guard let value = try? JSONValue(responseBytes: bytes, limits: limits) else { return nil }
    let errors = value["errors"].map(GraphQLError.list) ?? []
    return errors.isEmpty ? nil : errors
  }

  /// Reads data without a response around it: an object with the fields of `layout`.
  ///
  /// Fields that may be null may also be left out.
  package func decodeObject(
    _ bytes: some ContiguousBytes, as layout: SelectionLayout, schema: any SchemaMetadata.Type,
    variables: Variables?
  ) throws(ResponseError) -> ResponseObject {
    // A part of a model also shows the fields that fragments contribute to it.
    let position = layout.plan(schema: schema, variables: variables).position(showing: layout)
    let result = bytes.withUnsafeBytes { buffer in
      Self.readObject(buffer, at: position, limits: limits)
    }
    return try result.get().checkingPromises(of: layout)
  }

  private static func readObject(
    _ bytes: UnsafeRawBufferPointer, at position: ObjectPosition, limits: ResponseLimits
  ) -> Result<ResponseObject, ResponseError> {
    do throws(ReadFailure) {
      return try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        json.skipWhitespace()
        var reader = ResponseReader(json, observer: nil, missing: .nullable)
        let object = try reader.readRoot(at: position)
        try reader.json.expectEnd()
        if let violation = reader.violations.first { throw violation.failure }
        guard let object else { throw json.failure(.nullValue) }
        return .success(object)
      }
    } catch {
      return .failure(error.error)
    }
  }
}

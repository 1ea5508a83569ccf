package import protocol Foundation.ContiguousBytes

/// Reads what a server answers, from bytes straight into models.
///
/// ```swift
/// let response = try ResponseDecoder().decode(bytes, as: HeroQuery(episode: .case(.jedi)))
/// ```
public struct ResponseDecoder: Sendable {
  /// How much of a response is accepted.
  public var limits: ResponseLimits

  /// A decoder with limits.
  public init(limits: ResponseLimits = ResponseLimits()) {
    self.limits = limits
  }

  @usableFromInline
  func read(
    _ bytes: UnsafeRawBufferPointer, layout: SelectionLayout, schema: any SchemaMetadata.Type,
    variables: Variables?
  ) -> ResponseBody {
    read(bytes, layout: layout, schema: schema, variables: variables, listener: nil)
  }

  func read(
    _ bytes: UnsafeRawBufferPointer, layout: SelectionLayout, schema: any SchemaMetadata.Type,
    variables: Variables?, listener: (any ResponseObserver)?
  ) -> ResponseBody {
    let root = layout.position(schema: schema, variables: variables)
    do throws(ReadFailure) {
      return try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        var reader = ResponseBodyReader(root: root, listener: listener)
        return try reader.read(&json)
      }
    } catch {
      return ResponseBody(failure: error.error)
    }
  }

  /// The errors of a response whose data nobody asks for, such as one with a status that says no.
  ///
  /// - Returns: `nil` when the bytes are not a response with errors.
  package func errors(in bytes: some ContiguousBytes) -> [GraphQLError]? {
    // Not being a response is an answer here, so what exactly is wrong with the bytes does not matter.
    guard let value = try? JSONValue(jsonBytes: bytes, limits: limits),
      let values = value["errors"]?.arrayValue, !values.isEmpty
    else { return nil }
    let errors = values.compactMap { GraphQLError($0) }
    return errors.count == values.count ? errors : nil
  }

  /// Reads the data alone: an object of the shape of `layout`, without a response around it.
  ///
  /// Fields that may be null may also be left out.
  package func decodeObject(
    _ bytes: some ContiguousBytes, as layout: SelectionLayout, schema: any SchemaMetadata.Type,
    variables: Variables?
  ) throws(ResponseError) -> ResponseObject {
    // A part of a model shows what fragments contribute to it, too.
    let position = layout.plan(schema: schema, variables: variables).position(showing: layout)
    let result = bytes.withUnsafeBytes { buffer in
      Self.readObject(buffer, at: position, limits: limits)
    }
    return try result.get()
  }

  private static func readObject(
    _ bytes: UnsafeRawBufferPointer, at position: ObjectPosition, limits: ResponseLimits
  ) -> Result<ResponseObject, ResponseError> {
    do throws(ReadFailure) {
      return try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        json.skipWhitespace()
        var reader = ResponseReader(json, listener: nil, missing: .nullable)
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

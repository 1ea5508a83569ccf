public import struct Foundation.Data
public import protocol Foundation.ContiguousBytes

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

  /// Reads a response to an operation.
  ///
  /// A null where the schema rules it out takes the nearest object or list around it that may be null with it, if one of the
  /// response's errors is about that place.
  ///
  /// - Parameters:
  ///   - bytes: the body of the response, UTF-8.
  ///   - operation: what was asked, with the values of its variables.
  /// - Throws: a ``ResponseError`` that names the place.
  /// - Complexity: O(*n*) in the bytes.
  public func decode<Operation: GraphQLOperation>(
    _ bytes: some ContiguousBytes, as operation: Operation
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    try decode(bytes, as: operation, listener: nil)
  }

  /// The same, telling `listener` of each object on the way.
  package func decode<Operation: GraphQLOperation>(
    _ bytes: some ContiguousBytes, as operation: Operation, listener: (any ResponseListener)?
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    let layout = Operation.Data.__layout
    let plan = layout.plan(
      schema: Operation.Data.Schema.self, variables: operation.__variables)
    let body = try withBytes(of: bytes) { bytes throws(ReadFailure) in
      try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        var reader = ResponseBodyReader(root: plan.place(for: [layout]), listener: listener)
        return try reader.read(&json)
      }
    }
    return GraphQLResponse(
      data: body.data.map(Operation.Data.init(__object:)), errors: body.errors,
      extensions: body.extensions, source: .server)
  }

  /// The errors of a response whose data nobody asks for, such as one with a status that says no.
  ///
  /// - Returns: `nil` when the bytes are not a response with errors.
  package func errors(in bytes: some ContiguousBytes) -> [GraphQLError]? {
    // Not being a response is an answer here, so what exactly is wrong with the bytes does not matter.
    let value = try? withBytes(of: bytes) { bytes throws(ReadFailure) in
      try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        json.skipWhitespace()
        let value = try json.readValue()
        try json.expectEnd()
        return value
      }
    }
    guard let values = value?["errors"]?.arrayValue, !values.isEmpty else { return nil }
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
    let place = layout.plan(schema: schema, variables: variables).place(for: [layout])
    return try withBytes(of: bytes) { bytes throws(ReadFailure) in
      try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        json.skipWhitespace()
        var reader = ResponseReader(json, listener: nil, allowsMissing: true)
        let object = try reader.readRoot(at: place)
        try reader.json.expectEnd()
        if let violation = reader.violations.first { throw violation.failure }
        guard let object else { throw json.failure(.nullValue) }
        return object
      }
    }
  }

  private func withBytes<Result>(
    of bytes: some ContiguousBytes,
    _ body: (UnsafeRawBufferPointer) throws(ReadFailure) -> Result
  ) throws(ResponseError) -> Result {
    var result: Swift.Result<Result, ReadFailure>?
    bytes.withUnsafeBytes { buffer in
      do throws(ReadFailure) {
        result = .success(try body(buffer))
      } catch {
        result = .failure(error)
      }
    }
    switch result! {  // set by the closure, which is called exactly once
    case .success(let value): return value
    case .failure(let failure): throw failure.error
    }
  }
}

extension ResponseReader.Violation {
  /// The violation as a failure of the whole.
  var failure: ReadFailure {
    reversedPath.reduce(ReadFailure(.nullValue, byteOffset: byteOffset)) { $0.adding($1) }
  }

  var path: [PathEntry] { reversedPath.reversed() }
}

extension GraphQLOperation {
  /// Returns the body of a request for this operation. The same operation always gives the same
  /// bytes.
  ///
  /// The members are `operationName`, `query` (when `sendsDocument` and there is a text),
  /// `variables` (when there are any) and `extensions` (when given). Variables keep the order of
  /// the operation; objects within them have ascending keys.
  ///
  /// - Parameters:
  ///   - sendsDocument: Whether to send the text. Without it, the server must know the operation by
  ///     the extensions.
  ///   - extensions: The member `extensions`.
  /// - Returns: JSON in UTF-8.
  public func requestBody(
    sendsDocument: Bool = true, extensions: [String: JSONValue]? = nil
  ) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 512)
    writer.raw("{\"operationName\":")
    writer.write(Self.operationName)
    if sendsDocument, let definition = Self.operationDocument.definition {
      writer.raw(",\"query\":")
      writer.write(definition.queryDocument)
    }
    let variables = sentVariables
    if !variables.isEmpty {
      writer.raw(",\"variables\":")
      writer.writeObject(variables.map { ($0.name, $0.value) })
    }
    if let extensions {
      writer.raw(",\"extensions\":")
      writer.write(.object(extensions))
    }
    writer.raw("}")
    return writer.bytes
  }
}

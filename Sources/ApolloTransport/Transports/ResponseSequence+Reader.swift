extension ResponseSequence where Response == NetworkResponse {
  /// Creates a sequence from readers: `begin` sends an operation.
  package init(_ begin: @escaping @Sendable () async throws -> HTTPResponseReader) {
    self.init {
      var reader: HTTPResponseReader?
      return {
        if reader == nil { reader = try await begin() }
        return try await reader?.next()
      }
    }
  }
}

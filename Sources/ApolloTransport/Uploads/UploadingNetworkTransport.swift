/// A transport that can send files along with an operation.
public protocol UploadingNetworkTransport: NetworkTransport {
  /// Sends one operation with files, once, and waits for the answer.
  ///
  /// - Parameter files: Each takes the place of a variable's value. For a list of files, use one field
  ///   name for all of them, as many times as the list has placeholders.
  /// - Throws: As ``NetworkTransport/send(_:)``, and ``GraphQLHTTPRequestError`` when files and variables do not fit.
  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse
}

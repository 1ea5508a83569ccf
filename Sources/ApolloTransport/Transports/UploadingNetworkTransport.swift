/// A transport that can send files along with an operation.
public protocol UploadingNetworkTransport: NetworkTransport {
  /// Sends one operation with files, once, and waits for the response.
  ///
  /// Each file takes the place of a variable's value. For a list of files, use one field name for
  /// all of them, as many times as the list has placeholders. It throws as
  /// ``NetworkTransport/send(_:)`` does, and a ``GraphQLHTTPRequestError`` when files and variables
  /// do not fit.
  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse
}

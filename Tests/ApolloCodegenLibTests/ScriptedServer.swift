import Apollo
import Foundation

/// A transport with a fixed response to each operation.
final class ScriptedServer: UploadingNetworkTransport {
  private let data: [String: String]

  /// Creates a transport.
  ///
  /// - Parameter data: JSON objects by the names of operations.
  init(_ data: [String: String]) { self.data = data }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let data = data[type(of: request.operation).operationName] ?? "null"
    return NetworkResponse(body: Data(#"{"data":\#(data)}"#.utf8))
  }

  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse {
    try await send(request)
  }
}

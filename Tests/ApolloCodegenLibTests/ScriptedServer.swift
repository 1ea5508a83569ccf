import Apollo
import Foundation

/// Answers each operation with data of its own.
final class ScriptedServer: UploadingNetworkTransport {
  private let data: [String: String]

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

import GraphQLSyntax

/// A response that GraphQL knows: with data, or with errors.
struct RunResponse {
  let body: [UInt8]
  private let root: IndexedJSON.Value

  /// Reads a body; `nil` if it is none of a GraphQL response.
  init?(_ body: [UInt8]) {
    // A body that is no JSON is no response.
    guard let root = try? IndexedJSON(body).root, root.kind == .object,
      root["data"] != nil || root["errors"] != nil
    else { return nil }
    self.body = body
    self.root = root
  }

  /// `true` if there is data.
  var hasData: Bool { root["data"]?.kind == .object }

  /// Prints the response.
  ///
  /// - Parameters:
  ///   - isCompact: `true` to print it on one line.
  ///   - isWhole: `false` if something else about the response has failed.
  /// - Returns: The exit code for the response.
  func show(isCompact: Bool, isWhole: Bool = true) -> ExitCode {
    Terminal.print(JSONLayout.text(of: root, isCompact: isCompact))
    return root["errors"]?.items?.isEmpty == false || !isWhole ? .inputErrors : .success
  }
}

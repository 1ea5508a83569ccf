public import Foundation

extension RootSelectionSet {
  /// Creates a model from a JSON file, such as a recorded response.
  ///
  /// ```swift
  /// let data = try HeroQuery.Data(contentsOf: file)
  /// ```
  ///
  /// The file contains the object of the model, or a whole response with the key `data`. It is
  /// checked like a response, except that nullable fields may be left out.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - variables: The values of the variables in `@include` and `@skip` conditions.
  /// - Throws: An error of Foundation if the file cannot be read; a ``ResponseError`` with the path
  ///   in the file if it does not fit the model, and with the offset in bytes if it is no JSON.
  public init(contentsOf file: URL, variables: Variables? = nil) throws {
    // Foundation's decoder rounds numbers to those of `Double`.
    let value = try JSONValue(responseBytes: Data(contentsOf: file))
    if case .object(let members) = value, let data = members["data"],
      members.keys.allSatisfy(["data", "errors", "extensions"].contains)
    {
      try self.init(jsonValue: data, variables: variables)
    } else {
      try self.init(jsonValue: value, variables: variables)
    }
  }
}

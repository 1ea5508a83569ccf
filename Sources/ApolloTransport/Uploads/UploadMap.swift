import ApolloAPI

/// The files of an operation and their variables.
///
/// GraphQL multipart request specification: the files' places in the variables become null, and a
/// map tells which part of the request belongs where.
struct UploadMap {
  /// The variables, with null where the files belong.
  private(set) var variables: [(String, JSONValue)]

  /// For each file, in their order, its place: `variables.files.0`.
  private(set) var paths: [String]

  /// Each different file with all of its places, in the order of the first ones.
  private(set) var parts: [Part] = []

  /// A file that is sent once.
  struct Part {
    var file: GraphQLFile
    var paths: [String]
  }

  /// - Throws: ``GraphQLHTTPRequestError`` with the code `uploadMismatch`.
  init(
    _ files: [GraphQLFile], variables: [(String, JSONValue)]
  ) throws(GraphQLHTTPRequestError) {
    self.variables = variables
    paths = Array(repeating: "", count: files.count)
    var taken: Set<String> = []
    let groups = Dictionary(grouping: files.indices) { files[$0].fieldName }
    for (fieldName, group) in groups.sorted(by: { $0.key < $1.key }) {
      let count = try clear(fieldName, fileCount: group.count)
      for (position, index) in group.enumerated() {
        let path = "variables.\(fieldName)" + (count == nil ? "" : ".\(position)")
        // An element can be named by itself, and with its list.
        guard taken.insert(path).inserted else {
          throw .uploadMismatch(fieldName: fieldName, reason: "another file belongs there")
        }
        paths[index] = path
      }
    }
    for (file, path) in zip(files, paths) {
      if let known = parts.firstIndex(where: { $0.file.hasContent(of: file) }) {
        parts[known].paths.append(path)
      } else {
        parts.append(Part(file: file, paths: [path]))
      }
    }
  }

  /// The map as JSON: each part's name with its places.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.writeObject(
      parts.enumerated().map { index, part in
        (String(index), .array(part.paths.map { .string($0) }))
      })
    return writer.bytes
  }

  /// Puts null where the files of a field belong.
  ///
  /// - Returns: How many elements the list has, if it is one.
  private mutating func clear(
    _ fieldName: String, fileCount: Int
  ) throws(GraphQLHTTPRequestError) -> Int? {
    let steps = fieldName.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let index = variables.firstIndex(where: { $0.0 == steps[0] }) else {
      throw .uploadMismatch(fieldName: fieldName, reason: "there is no such variable")
    }
    var count: Int?
    variables[index].1 = try Self.clearing(variables[index].1, steps.dropFirst(), &count) {
      .uploadMismatch(fieldName: fieldName, reason: $0)
    }
    if (count ?? 1) != fileCount {
      throw .uploadMismatch(
        fieldName: fieldName, reason: "it has \(count ?? 1) placeholders for \(fileCount) files")
    }
    return count
  }

  private static func clearing(
    _ value: JSONValue, _ steps: ArraySlice<String>, _ count: inout Int?,
    _ mismatch: (String) -> GraphQLHTTPRequestError
  ) throws(GraphQLHTTPRequestError) -> JSONValue {
    guard let step = steps.first else {
      guard case .array(let elements) = value else { return .null }
      count = elements.count
      return .array(elements.map { _ in .null })
    }
    // Another form of the index, such as '00', would be another place for the server.
    if case .array(var elements) = value, let index = Int(step), String(index) == step {
      guard elements.indices.contains(index) else {
        throw mismatch("there is no element \(index)")
      }
      elements[index] = try clearing(elements[index], steps.dropFirst(), &count, mismatch)
      return .array(elements)
    }
    guard case .object(var members) = value, let member = members[step] else {
      throw mismatch("there is no field '\(step)'")
    }
    members[step] = try clearing(member, steps.dropFirst(), &count, mismatch)
    return .object(members)
  }
}

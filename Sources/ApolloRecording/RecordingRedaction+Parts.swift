internal import ApolloAPI

// Secrets in parts of a response. The objects around a part are not in it. Its path names them:
//
// {"incremental":[{"path":["viewer","credentials"],"data":{"value":"abc"}}],"hasNext":true}
//
// In the later format, a part announces the path with an identifier, and others have that only:
//
// {"data":{…},"pending":[{"id":"0","path":["viewer","credentials"]}],"hasNext":true}
// {"incremental":[{"id":"0","data":{"value":"abc"}}],"completed":[{"id":"0"}],"hasNext":false}

extension RecordingRedaction {
  /// Returns a response, or a part of one, as JSON text on one line, without secrets.
  ///
  /// In data whose path has a secret name, texts are replaced as within an object of that name.
  ///
  /// - Parameters:
  ///   - json: The response or the part, which is valid JSON.
  ///   - secretIDs: The identifiers, as JSON text, whose paths have secret names. What the part
  ///     announces is added.
  /// - Returns: The text.
  func response(_ json: [UInt8], secretIDs: inout Set<String>) -> [UInt8] {
    let text = JSONText(json)
    let members = text.members()
    func entries(_ name: String) -> [[String: ArraySlice<UInt8>]] {
      guard let list = members[name] else { return [] }
      return text.elements(at: list.startIndex).map { text.members(at: $0) }
    }
    for entry in entries("pending") {
      guard let id = Self.id(of: entry) else { continue }
      if hasSecretName(entry["path"]) {
        secretIDs.insert(id)
      } else {
        secretIDs.remove(id)  // an event of a subscription can use it again
      }
    }
    var secrets: [Range<Int>] = []
    // The oldest format has the path beside "data" in the part itself.
    for entry in [members] + entries("incremental") {
      let isSecretID = Self.id(of: entry).map { secretIDs.contains($0) } ?? false
      guard isSecretID || hasSecretName(entry["path"]) || hasSecretName(entry["subPath"]) else {
        continue
      }
      for value in [entry["data"], entry["items"]] {
        if let value { secrets.append(value.startIndex..<value.endIndex) }
      }
    }
    return response(json, secretValues: secrets.sorted { $0.lowerBound < $1.lowerBound })
  }

  private static func id(of entry: [String: ArraySlice<UInt8>]) -> String? {
    entry["id"].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns whether a path, as JSON text, leads through a field with a secret name.
  private func hasSecretName(_ path: ArraySlice<UInt8>?) -> Bool {
    guard let path, case .array(let steps)? = try? JSONValue(jsonBytes: Array(path)) else {
      return false  // what is no list is no path
    }
    return steps.contains { step in step.stringValue.map { isSecretField($0) } ?? false }
  }
}

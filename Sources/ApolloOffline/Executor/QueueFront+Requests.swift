import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension QueueFront {
  /// Sends the request of an attempt, and returns what has become of it.
  func request(
    _ attempt: Attempt, in layer: LayerID, during call: CallSession, with client: ApolloClient
  ) async throws -> RegisteredMutation.Sent {
    let name = attempt.entry.operationName
    guard let registered = registry.withLock({ $0.mutations[name] }) else {
      throw OfflineError(.notRegistered, "'\(name)' is not registered.")
    }
    var variables = try payload(of: attempt).variables
    var options = client.defaultRequestConfiguration
    var needsHeaders = attempt.key != nil
    if let key = attempt.key {
      // The contents or the carriers may have changed since the check of the call.
      try checkPlaceOfKey(in: variables, of: name)
      for carrier in configuration.keyCarriers {
        switch carrier {
        case .header(let name): options.additionalHeaders[name] = key
        case .variable(let path):
          guard let new = variables.setting(key, at: path) else { continue }
          (variables, needsHeaders) = (new, false)
        }
      }
    }
    let request = RegisteredMutation.Request(
      layer: layer, files: try attempt.files.map { try file($0) }, configuration: options,
      session: call, creates: attempt.entry.creates, needsHeaders: needsHeaders)
    let sent = await registered.send(client, variables, request)
    // Nothing was sent, since a file could be opened and not be read.
    if case .rejected(let failure, mayHaveArrived: false) = sent.outcome,
      failure.kind == .unsendable, let error = sent.error as? GraphQLHTTPRequestError,
      error.code == .unreadableFile, attempt.files.contains(where: { exists($0.path) })
    {
      throw SealedContents(error: error)
    }
    return sent
  }

  /// Returns whether there is a file, which perhaps cannot be opened now.
  private func exists(_ path: String?) -> Bool {
    guard let path else { return false }
    return openingError(of: path).map { ![ENOENT, ENOTDIR, EISDIR].contains($0) } ?? true
  }

  func payload(of attempt: Attempt) throws -> Payload {
    try Payload(bytes: opened(attempt.payload)).replacingTexts(attempt.identifiers)
  }

  private func file(_ file: StoredFile) throws -> GraphQLFile {
    if let content = file.content {
      return GraphQLFile(
        fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType,
        data: Data(try opened(content)))
    }
    let path = file.path ?? ""
    // One that exists may be readable later, such as when the device is unlocked. Its mode does not
    // say that.
    if let code = openingError(of: path) {
      let error = POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
      throw exists(path) ? SealedContents(error: error) : error
    }
    return try GraphQLFile(
      fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType,
      contentsOf: URL(fileURLWithPath: path))
  }

  /// Returns a file as it is stored.
  func stored(_ file: GraphQLFile, _ storage: OfflineFileStorage) throws -> StoredFile {
    var stored = StoredFile(
      fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType)
    switch file.content {
    case .data(let data): stored.content = try sealed([UInt8](data))
    case .file(let url) where storage == .referenced: stored.path = url.path
    case .file(let url): stored.content = try sealed([UInt8](try Data(contentsOf: url)))
    }
    return stored
  }

  /// Throws if no carrier has a place for the key of a mutation.
  func checkPlaceOfKey(in variables: JSONValue, of operationName: String) throws(OfflineError) {
    let hasPlace = configuration.keyCarriers.contains { carrier in
      switch carrier {
      case .header: true
      case .variable(let path): variables.setting("", at: path) != nil
      }
    }
    guard !hasPlace else { return }
    throw OfflineError(
      .noPlaceForKey,
      "No variable of '\(operationName)' can carry the key. Give the variable or its input object a value, or send the key in a header with 'keyCarriers'."
    )
  }
}

/// Returns the error of opening a file, or `nil` if it can be read.
private func openingError(of path: String) -> Int32? {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return errno }
  defer { close(descriptor) }
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? EISDIR : nil
}

extension JSONValue {
  /// Returns the same variables with a key at a path with dots, or `nil` if there is no such place:
  /// the variable must have a value, and each input object on the way.
  func setting(_ key: String, at path: String) -> JSONValue? {
    let names = path.split(separator: ".")
    guard let first = names.first, objectValue?[String(first)] != nil else { return nil }
    return setting(key, at: names[...])
  }

  private func setting(_ key: String, at names: ArraySlice<Substring>) -> JSONValue? {
    guard let first = names.first else { return .string(key) }
    guard var members = objectValue else { return nil }
    guard let new = (members[String(first)] ?? .null).setting(key, at: names.dropFirst())
    else { return nil }
    members[String(first)] = new
    return .object(members)
  }
}

internal import ApolloAPI

extension RedisClient {
  /// Runs the script of a write. A server that does not know it yet is sent its text.
  nonisolated(nonsending) func run(
    _ call: (keys: [[UInt8]], arguments: [[UInt8]]), slot: UInt16
  ) async throws(RedisError) -> RedisValue {
    let rest = [Array("\(call.keys.count)".utf8)] + call.keys + call.arguments
    if let digest = scriptDigest.get() {
      let value = try await send(
        Request(command: RedisCommand("EVALSHA", [digest] + rest), slot: slot, isWrite: true))
      guard case .error(let message) = value, message.hasPrefix("NOSCRIPT") else { return value }
    } else {
      let load = RedisCommand("SCRIPT", "LOAD", WriteScript.text)
      if case .bytes(let digest) = try await send(Request(command: load, slot: slot)) {
        _ = scriptDigest.exchange(digest)
      }
    }
    return try await send(
      Request(
        command: RedisCommand("EVAL", [Array(WriteScript.text.utf8)] + rest), slot: slot,
        isWrite: true))
  }
}

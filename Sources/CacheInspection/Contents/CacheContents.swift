package import ApolloCache

/// The records of a cache that others may use meanwhile.
package protocol CacheContents: Sendable {
  /// The name for people: a path or a URL, without a password.
  var name: String { get }

  /// Calls `body` with each record, in the order of the keys' bytes.
  nonisolated(nonsending) func forEachRecord(_ body: (StoredRecord) throws -> Void) async throws

  /// Returns a record, or `nil` if there is none.
  func record(of key: RecordKey) async throws -> StoredRecord?

  /// Returns a text that is another one after each commit of others.
  func version() async throws -> String

  /// Returns the damage that no record shows.
  func damage() async throws -> [String]

  /// Ends the reading, as a process does that is about to exit: what only the reader needs is
  /// removed, such as the log of a file. Nothing is read afterwards.
  func close()

  /// The number of bytes on the disk, if it is known.
  var storedByteCount: Int? { get }

  /// The version of the form in which records are stored, if there is one.
  var formVersion: Int? { get }
}

extension CacheContents {
  package func close() {}
}

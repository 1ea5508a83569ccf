package import Foundation
package import Testing

/// The reference corpora, which lie beside the repository and are not part of it.
package enum Corpus {
  /// `../shared/corpus` seen from the package.
  package static let folder = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../shared/corpus", isDirectory: true).standardized

  /// Returns `true` if the folder exists. Then every file of it that a test reads must exist too.
  package static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// Prints messages that differ from the reference's: `CORPUS_VERBOSE=1`.
  static let isVerbose = ProcessInfo.processInfo.environment["CORPUS_VERBOSE"] == "1"

  /// Decodes a file.
  package static func load<Content: Decodable>(
    _ name: String, as type: Content.Type
  ) throws -> Content {
    try JSONDecoder().decode(type, from: data(name))
  }

  /// The bytes of a file.
  package static func data(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  /// The text of a file.
  package static func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests, and says so, where there are no corpora.
  package static var readsCorpus: Self {
    .enabled(if: Corpus.isPresent, "There is no ../shared/corpus beside the package.")
  }
}

package import Foundation
package import Testing

/// The reference corpora, which are in a folder next to the repository.
package enum Corpus {
  /// The folder `../shared/corpus`, relative to the package.
  package static let folder = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../shared/corpus", isDirectory: true).standardized

  /// A Boolean value that indicates whether the folder exists. If it does, it must contain every
  /// file that a test reads.
  package static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// A Boolean value that indicates whether to print messages that differ from the reference. Set
  /// `CORPUS_VERBOSE=1` to enable it.
  static let isVerbose = ProcessInfo.processInfo.environment["CORPUS_VERBOSE"] == "1"

  /// Decodes the file named `name`.
  package static func load<Content: Decodable>(
    _ name: String, as type: Content.Type
  ) throws -> Content {
    try JSONDecoder().decode(type, from: data(name))
  }

  /// Returns the bytes of the file named `name`.
  package static func data(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  /// Returns the text of the file named `name`.
  package static func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests, with a comment, if there are no corpora.
  package static var readsCorpus: Self {
    .enabled(if: Corpus.isPresent, "There is no ../shared/corpus beside the package.")
  }
}

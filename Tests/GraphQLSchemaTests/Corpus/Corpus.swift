import Foundation

/// The reference corpora that lie beside the package, where they are present.
enum Corpus {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/corpus")

  /// Decodes a file, or says that it is absent.
  static func load<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content? {
    let file = folder.appending(path: name)
    guard let data = try? Data(contentsOf: file) else {  // Absent outside our own checkouts.
      print("There is no corpus at \(file.path()); its cases are not run.")
      return nil
    }
    return try JSONDecoder().decode(type, from: data)
  }

  /// The text of a file of the corpus.
  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
}

/// An error as the corpora state it.
struct CorpusError: Decodable {
  struct Location: Decodable, Hashable {
    var line: Int
    var column: Int
    var source: String?
  }

  var rule: String?
  var message: String
  var locations: [Location]
}

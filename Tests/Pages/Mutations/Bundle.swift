import Foundation

/// The resources of the project, such as the file `a.txt`, which the page leaves to the reader.
struct Bundle: Sendable {
  static let main = Bundle()

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("mutations-page-\(UUID().uuidString)")

  func url(forResource name: String, withExtension fileExtension: String) -> URL? {
    let file = folder.appendingPathComponent("\(name).\(fileExtension)")
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }

  /// Adds a resource to the bundle.
  func add(_ text: String, as name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Removes every resource.
  func removeAll() throws { try FileManager.default.removeItem(at: folder) }
}

extension DefaultStringInterpolation {
  /// Inserts an optional value, without a warning of the compiler.
  mutating func appendInterpolation<Value>(_ value: Value?) {
    appendLiteral(String(describing: value))
  }
}

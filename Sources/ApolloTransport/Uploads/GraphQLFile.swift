public import Foundation

/// A file to upload with an operation.
///
/// ```swift
/// guard let file = GraphQLFile(
///   fieldName: "file", originalName: "a.txt", mimeType: "text/plain", fileURL: url)
/// else { return }
/// ```
public struct GraphQLFile: Hashable, Sendable {
  /// The variable that the file replaces. A dot leads into an input object, `input.avatar`, or to
  /// an element of a list, `input.files.0`.
  public let fieldName: String

  /// The file's name, as sent to the server.
  public let originalName: String

  /// The media type of the data.
  public let mimeType: String

  let content: Content

  enum Content: Hashable, Sendable {
    case data(Data)
    case file(URL)
  }

  /// The type of data that nothing is known about.
  public static let octetStreamMimeType = "application/octet-stream"

  /// A file whose content is in memory.
  public init(
    fieldName: String, originalName: String, mimeType: String = octetStreamMimeType, data: Data
  ) {
    self.fieldName = fieldName
    self.originalName = originalName
    self.mimeType = mimeType
    content = .data(data)
  }

  /// A file on disk, which is read when it is sent.
  ///
  /// - Returns: `nil` when there is no file at `fileURL` that can be read.
  public init?(
    fieldName: String, originalName: String, mimeType: String = octetStreamMimeType, fileURL: URL
  ) {
    var isDirectory: ObjCBool = false
    let path = fileURL.path
    guard fileURL.isFileURL,
      FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      !isDirectory.boolValue, FileManager.default.isReadableFile(atPath: path)
    else { return nil }
    self.fieldName = fieldName
    self.originalName = originalName
    self.mimeType = mimeType
    content = .file(fileURL)
  }

  /// Returns whether another file is the same, perhaps for another variable.
  func hasContent(of other: GraphQLFile) -> Bool {
    originalName == other.originalName && mimeType == other.mimeType && content == other.content
  }

  /// All of the content.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` with the code `unreadableFile`.
  func read() throws(GraphQLHTTPRequestError) -> Data {
    switch content {
    case .data(let data): return data
    case .file(let url):
      do {
        return try Data(contentsOf: url, options: .mappedIfSafe)
      } catch {
        throw .unreadableFile(name: originalName, reason: error.localizedDescription)
      }
    }
  }
}

public import Foundation

/// A file to upload with an operation.
///
/// ```swift
/// guard
///   let file = GraphQLFile(
///     fieldName: "file", originalName: "a.txt", mimeType: "text/plain", fileURL: url)
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

  /// The size of the content when the file was created, in bytes.
  public let contentLength: UInt64

  package let content: Content

  package enum Content: Hashable, Sendable {
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
    contentLength = UInt64(data.count)
    content = .data(data)
  }

  /// A file on disk, which is read when the operation is sent.
  ///
  /// On Linux, it is read piece by piece while it is sent. On Apple platforms, and with a
  /// ``URLSessionClient``, the whole file is read into memory first.
  ///
  /// - Returns: `nil` when there is no file at `fileURL` that can be read.
  public init?(
    fieldName: String, originalName: String, mimeType: String = octetStreamMimeType, fileURL: URL
  ) {
    do throws(GraphQLHTTPRequestError) {
      try self.init(
        fieldName: fieldName, originalName: originalName, mimeType: mimeType, contentsOf: fileURL)
    } catch {
      return nil
    }
  }

  /// A file on disk, which is read when the operation is sent.
  ///
  /// On Linux, it is read piece by piece while it is sent. On Apple platforms, and with a
  /// ``URLSessionClient``, the whole file is read into memory first.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` with the code `unreadableFile` and the reason, when
  ///   there is no file at `url` that can be read.
  public init(
    fieldName: String, originalName: String, mimeType: String = octetStreamMimeType,
    contentsOf url: URL
  ) throws(GraphQLHTTPRequestError) {
    guard url.isFileURL else {
      throw .unreadableFile(name: originalName, reason: "Its URL is not one of a file.")
    }
    contentLength = UInt64(try OpenFile.byteCount(at: url, name: originalName))
    self.fieldName = fieldName
    self.originalName = originalName
    self.mimeType = mimeType
    content = .file(url)
  }

  /// Returns whether another file is the same, perhaps for another variable.
  func hasContent(of other: GraphQLFile) -> Bool {
    originalName == other.originalName && mimeType == other.mimeType && content == other.content
  }

  /// Appends the content to a body. A file on disk is read when the body is.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` with the code `unreadableFile`.
  func append(to body: inout UploadBody) throws(GraphQLHTTPRequestError) {
    switch content {
    case .data(let data): body.append(data)
    case .file(let url): try body.append(fileAt: url, name: originalName)
    }
  }
}

import Foundation

/// The body of a `multipart/form-data` request.
///
/// RFC 7578; quotation marks and line breaks in file names are escaped as browsers do.
struct MultipartFormData {
  let boundary: String
  /// The parts so far. Files on disk are read when it is sent.
  private(set) var body = UploadBody()

  /// - Parameter boundary: What separates the parts. Must not occur in any of them.
  init(boundary: String = randomBoundary()) { self.boundary = boundary }

  /// 128 random bits.
  static func randomBoundary() -> String {
    var generator = SystemRandomNumberGenerator()
    let halves = [generator.next(), generator.next()].map { String($0, radix: 16) }
    return "apollo.boundary.\(halves.joined(separator: "."))"
  }

  mutating func append(name: String, _ content: [UInt8]) {
    append("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n")
    body.append(Data(content))
    append("\r\n")
  }

  /// - Throws: ``GraphQLHTTPRequestError``.
  mutating func append(name: String, _ file: GraphQLFile) throws(GraphQLHTTPRequestError) {
    guard HeaderField.isValid(value: file.mimeType), !file.mimeType.isEmpty else {
      throw .invalidHeader(name: "Content-Type")
    }
    append("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; ")
    append("filename=\"\(Self.escaped(file.originalName))\"\r\n")
    append("Content-Type: \(file.mimeType)\r\n\r\n")
    try file.append(to: &body)
    append("\r\n")
  }

  mutating func finish() { append("--\(boundary)--\r\n") }

  private mutating func append(_ text: String) { body.append(Data(text.utf8)) }

  private static func escaped(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case "\0": result += "%00"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

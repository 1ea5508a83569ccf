import ApolloCodegenLib
import Foundation

/// A folder that exists as long as the object.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-codegen-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    try Disk().replace("\(path)/\(name)", Array(text.utf8))
  }

  func text(of name: String) throws -> String {
    String(decoding: try Disk().read("\(path)/\(name)"), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { Disk().kind(of: "\(path)/\(name)") != nil }
}

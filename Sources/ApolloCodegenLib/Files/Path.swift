/// Operations on paths as text, without access to the file system.
package enum Path {
  /// Returns `path` under `base`, or `path` itself if it is absolute. `.` and `..` are resolved as
  /// text.
  package static func join(_ base: String, _ path: String) -> String {
    normalized(path.hasPrefix("/") ? path : "\(base)/\(path)")
  }

  package static func parent(of path: String) -> String {
    guard let slash = lastSlash(in: path), slash > 0 else { return "/" }
    return String(decoding: path.utf8.prefix(slash), as: UTF8.self)
  }

  package static func name(of path: String) -> String {
    lastSlash(in: path).map { String(decoding: path.utf8.dropFirst($0 + 1), as: UTF8.self) }
      ?? path
  }

  /// Returns the offset of the last slash, in bytes.
  private static func lastSlash(in path: String) -> Int? {
    var path = path
    return path.withUTF8 { $0.lastIndex(of: UInt8(ascii: "/")) }
  }

  /// Returns an absolute path without empty, `.` and `..` components.
  package static func normalized(_ path: String) -> String {
    var components: [Substring] = []
    for component in path.split(separator: "/") {
      switch component {
      case ".": continue
      case "..": _ = components.popLast()
      default: components.append(component)
      }
    }
    return "/" + components.joined(separator: "/")
  }

  /// Returns `true` if `path` is `folder` or below it. Both are normalized and absolute.
  package static func isInside(_ path: String, _ folder: String) -> Bool {
    folder == "/" || path == folder || path.hasPrefix(folder + "/")
  }

  /// Returns `path` relative to `base` if it is below it, and `path` itself otherwise.
  package static func display(_ path: String, from base: String) -> String {
    let prefix = base == "/" ? base : base + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}

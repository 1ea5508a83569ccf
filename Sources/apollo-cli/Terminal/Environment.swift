import ApolloCodegenLib

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The surroundings of the process: its files, its current folder and its variables.
///
/// Commands reach them only through this type.
enum Environment {
  static let fileSystem: any FileSystem & Sendable = Disk()

  static var currentDirectory: String { Disk.currentDirectory }

  /// Returns the value of a variable, or `nil` if it is not set.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

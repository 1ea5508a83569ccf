import ApolloCodegenLib

#if canImport(Darwin)
  import Darwin
  // Declares `_NSGetExecutablePath`, which `Darwin` does not have.
  import MachO
#endif

/// The location of files that the tool can recreate.
enum Caches {
  /// `XDG_CACHE_HOME` or the platform's folder for caches, or `nil` if there is no home folder.
  static let folder: String? = {
    if let cache = variable("XDG_CACHE_HOME") { return "\(cache)/apollo-codegen" }
    #if canImport(Darwin)
      return variable("HOME").map { "\($0)/Library/Caches/apollo-codegen" }
    #else
      return variable("HOME").map { "\($0)/.cache/apollo-codegen" }
    #endif
  }()

  /// A text that differs between builds of the tool.
  static let stampOfThisTool: String? = {
    #if canImport(Darwin)
      var size = UInt32(PATH_MAX)
      let path = [CChar](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        count = _NSGetExecutablePath(buffer.baseAddress!, &size) == 0 ? Int(size) : 0
      }
      guard !path.isEmpty else { return nil }
      return Environment.fileSystem.resolved(
        path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      )
      .flatMap(GenerationCache.stamp)
    #else
      return Environment.fileSystem.resolved("/proc/self/exe").flatMap(GenerationCache.stamp)
    #endif
  }()

  /// Returns an absolute path from the environment.
  private static func variable(_ name: String) -> String? {
    Environment.variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

import Foundation

/// The sources of `apollo-cli`, in the package that a plugin belongs to.
enum ToolSources {
  /// The modules that the tool consists of. `.ci/tests` compares them with the imports.
  static let modules = [
    "ApolloAPI", "ApolloCache", "ApolloCodegenLib", "ApolloHashing", "ApolloIR", "ApolloRecording",
    "ApolloRedis", "ApolloSQLite", "CHiredis", "CSQLite", "CZlib", "CacheInspection",
    "CacheLocations", "GraphQLFakeServer", "GraphQLLanguageServer", "GraphQLSchema",
    "GraphQLSyntax", "GraphQLValidation", "LocalHTTP", "SwiftSource", "apollo-cli",
  ]

  /// Returns a hash of the names and contents of all sources: equal sources make equal tools,
  /// wherever they are.
  ///
  /// It is FNV-1a, since it only has to tell revisions apart. A revision of the repository would
  /// not do: releases from a registry have none, and a checkout can have changes.
  ///
  /// - Returns: 16 hexadecimal digits, or `nil` if the sources cannot be read.
  static func fingerprint() -> String? {
    guard let package else { return nil }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for module in modules {
      let folder = package.appendingPathComponent("Sources").appendingPathComponent(module)
      guard let names = FileManager.default.enumerator(atPath: folder.path) else { return nil }
      let sources = names.compactMap { $0 as? String }
        .filter { name in
          [".swift", ".modulemap", ".h"].contains { name.hasSuffix($0) }
            && !name.split(separator: "/").contains { $0.first == "." }
        }
      guard !sources.isEmpty else { return nil }
      for name in sources.sorted() {
        guard let content = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
          return nil
        }
        // The length separates a file from the next one.
        add(Data("\(module)/\(name):\(content.count):".utf8), to: &hash)
        add(content, to: &hash)
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The folder of the package: the nearest one above this file that has a manifest.
  private static var package: URL? {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
      let manifest = folder.appendingPathComponent("Package.swift")
      if FileManager.default.fileExists(atPath: manifest.path) { return folder }
    }
    return nil
  }

  private static func add(_ bytes: Data, to hash: inout UInt64) {
    bytes.withUnsafeBytes { bytes in
      // Plugins are not optimized, and an iterator is several times as slow then.
      var index = 0
      while index < bytes.count {
        hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3
        index += 1
      }
    }
  }
}

import SwiftSource

/// The `Package.swift` of a schema module that is a package.
package struct PackageManifest {
  private let name: String
  /// The identity of the runtime's package in SwiftPM.
  private let package: String
  /// The arguments of `.package(…)` that locate the runtime.
  private let requirement: String
  /// The target of the mocks, or `nil` if there is none.
  private let mocksTarget: String?

  /// Creates the manifest, or `nil` if the module is not a package.
  package init?(_ configuration: ApolloCodegenConfiguration) {
    guard case .swiftPackage(let dependency) = configuration.output.schemaTypes.moduleType else {
      return nil
    }
    (package, requirement) = Self.requirement(dependency)
    name = Casing.capitalizingFirstLetter(configuration.schemaNamespace)
    mocksTarget = Self.mocksTarget(configuration)
  }

  /// Returns the name of the mocks' target, which is also that of its folder, or `nil` if there is
  /// none.
  static func mocksTarget(_ configuration: ApolloCodegenConfiguration) -> String? {
    guard case .swiftPackage(let name) = configuration.output.testMocks else { return nil }
    return name ?? Casing.capitalizingFirstLetter(configuration.schemaNamespace) + "TestMocks"
  }

  package var text: String {
    """
    // swift-tools-version: 6.1
    \(GeneratedFile.marker). Do not edit.

    import PackageDescription

    let package = Package(
      name: \(SwiftString.escaped(name)),
      platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
      products: [\(products.joined(separator: ", "))],
      dependencies: [.package(\(requirement))],
      targets: [
    \(targets.joined(separator: ",\n"))
      ],
      swiftLanguageModes: [.v6]
    )

    """
  }

  private var products: [String] {
    ([name] + (mocksTarget.map { [$0] } ?? [])).map { target in
      let name = SwiftString.escaped(target)
      return ".library(name: \(name), targets: [\(name)])"
    }
  }

  private var targets: [String] {
    let schema = target(name, [product("ApolloAPI")], path: "Sources")
    let mocks = mocksTarget.map { mocks in
      target(
        mocks, [product("ApolloTestSupport"), ".target(name: \(SwiftString.escaped(name)))"],
        path: mocks)
    }
    return [schema] + (mocks.map { [$0] } ?? [])
  }

  private func product(_ name: String) -> String {
    ".product(name: \(SwiftString.escaped(name)), package: \(SwiftString.escaped(package)))"
  }

  private func target(_ name: String, _ dependencies: [String], path: String) -> String {
    """
        .target(
          name: \(SwiftString.escaped(name)),
          dependencies: [\(dependencies.joined(separator: ", "))],
          path: \(SwiftString.escaped(path)))
    """
  }

  /// Returns the identity of the runtime's package in SwiftPM, and the arguments that locate it.
  private static func requirement(
    _ dependency: ApolloCodegenConfiguration.SDKDependency
  ) -> (package: String, arguments: String) {
    switch dependency.location {
    case .folder(let path):
      // A folder may have any name, or end in `..`. The package is given its own name.
      let package = "apollo-swift"
      return (
        package, "name: \(SwiftString.escaped(package)), path: \(SwiftString.escaped(path))"
      )
    case .repository(let url):
      return (
        name(ofRepositoryAt: url),
        "url: \(SwiftString.escaped(url)), \(requirement(dependency.version))"
      )
    }
  }

  private static func requirement(
    _ version: ApolloCodegenConfiguration.SDKDependency.Version
  ) -> String {
    switch version {
    case .default, .local: "exact: \(SwiftString.escaped(generatorVersion))"
    case .branch(let name): "branch: \(SwiftString.escaped(name))"
    case .commit(let hash): "revision: \(SwiftString.escaped(hash))"
    case .exact(let version): "exact: \(SwiftString.escaped(version))"
    case .from(let version): "from: \(SwiftString.escaped(version))"
    }
  }

  /// Returns the identity of a repository in SwiftPM, which is the last part of its address.
  private static func name(ofRepositoryAt url: String) -> String {
    let folder = Path.name(of: url.hasSuffix("/") ? String(url.dropLast()) : url)
    return folder.hasSuffix(".git") ? String(folder.dropLast(4)) : folder
  }
}

/// The version of the generator and of the runtime that it generates code for. It is the tag of the
/// release.
public let generatorVersion = "0.1.0"

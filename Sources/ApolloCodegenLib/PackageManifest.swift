import SwiftSource

/// The `Package.swift` of a schema module that is a package of its own.
struct PackageManifest {
  /// Where the runtime is published.
  private static let runtimeURL = "https://github.com/apollo-swift/apollo-swift"
  private static let runtimePackage = "apollo-swift"

  private let name: String
  private let dependency: ApolloCodegenConfiguration.SDKDependency

  /// `nil` when the module is not a package.
  init?(_ configuration: ApolloCodegenConfiguration) {
    guard case .swiftPackage(let dependency) = configuration.output.schemaTypes.moduleType else {
      return nil
    }
    self.dependency = dependency
    name = Casing.capitalizingFirstLetter(configuration.schemaNamespace)
  }

  var text: String {
    """
    // swift-tools-version: 6.1
    \(OutputWriter.marker). Do not edit.

    import PackageDescription

    let package = Package(
      name: \(StringLiteral.escaped(name)),
      platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
      products: [.library(name: \(StringLiteral.escaped(name)), targets: [\(StringLiteral.escaped(name))])],
      dependencies: [\(requirement)],
      targets: [
        .target(
          name: \(StringLiteral.escaped(name)),
          dependencies: [.product(name: "ApolloAPI", package: \(StringLiteral.escaped(package)))],
          path: "Sources")
      ],
      swiftLanguageModes: [.v6]
    )

    """
  }

  private var package: String {
    if case .local(let path) = dependency.version { return Path.name(of: path) }
    guard let url = dependency.url else { return Self.runtimePackage }
    let last = Path.name(of: url)
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }

  private var requirement: String {
    let url = "url: \(StringLiteral.escaped(dependency.url ?? Self.runtimeURL))"
    return switch dependency.version {
    case .default: ".package(\(url), exact: \(StringLiteral.escaped(generatorVersion)))"
    case .branch(let name): ".package(\(url), branch: \(StringLiteral.escaped(name)))"
    case .commit(let hash): ".package(\(url), revision: \(StringLiteral.escaped(hash)))"
    case .exact(let version): ".package(\(url), exact: \(StringLiteral.escaped(version)))"
    case .from(let version): ".package(\(url), from: \(StringLiteral.escaped(version)))"
    case .local(let path): ".package(path: \(StringLiteral.escaped(path)))"
    }
  }
}

/// The version of the generator and of the runtime it writes for.
public let generatorVersion = "0.1.0"

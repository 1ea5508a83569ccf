import SwiftSource

/// The `Package.swift` of a schema module that is a package of its own.
struct PackageManifest {
  private let name: String
  /// What SwiftPM calls the runtime's package.
  private let package: String
  /// The arguments of `.package(…)` that say where the runtime is.
  private let requirement: String
  /// The target of the mocks, if there is one.
  private let mocksTarget: String?

  /// `nil` when the module is not a package, or when nothing says where the runtime is, which is one of the
  /// configuration's ``ApolloCodegenConfiguration/problems``.
  init?(_ configuration: ApolloCodegenConfiguration) {
    guard case .swiftPackage(let dependency) = configuration.output.schemaTypes.moduleType,
      let location = dependency.location
    else { return nil }
    package = Self.name(ofPackageAt: location, dependency.version)
    requirement = Self.requirement(
      dependency.version, at: StringLiteral.escaped(location), StringLiteral.escaped(package))
    name = Casing.capitalizingFirstLetter(configuration.schemaNamespace)
    mocksTarget = Self.mocksTarget(configuration)
  }

  /// The name of the target of mocks in the package, and of its folder; `nil` when it has none.
  static func mocksTarget(_ configuration: ApolloCodegenConfiguration) -> String? {
    guard case .swiftPackage(let name) = configuration.output.testMocks else { return nil }
    return name ?? Casing.capitalizingFirstLetter(configuration.schemaNamespace) + "TestMocks"
  }

  var text: String {
    """
    // swift-tools-version: 6.1
    \(OutputWriter.marker). Do not edit.

    import PackageDescription

    let package = Package(
      name: \(StringLiteral.escaped(name)),
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
      let name = StringLiteral.escaped(target)
      return ".library(name: \(name), targets: [\(name)])"
    }
  }

  private var targets: [String] {
    let schema = target(name, [product("ApolloAPI")], path: "Sources")
    let mocks = mocksTarget.map { mocks in
      target(
        mocks, [product("ApolloTestSupport"), ".target(name: \(StringLiteral.escaped(name)))"],
        path: mocks)
    }
    return [schema] + (mocks.map { [$0] } ?? [])
  }

  private func product(_ name: String) -> String {
    ".product(name: \(StringLiteral.escaped(name)), package: \(StringLiteral.escaped(package)))"
  }

  private func target(_ name: String, _ dependencies: [String], path: String) -> String {
    """
        .target(
          name: \(StringLiteral.escaped(name)),
          dependencies: [\(dependencies.joined(separator: ", "))],
          path: \(StringLiteral.escaped(path)))
    """
  }

  private static func requirement(
    _ version: ApolloCodegenConfiguration.SDKDependency.Version, at location: String,
    _ package: String
  ) -> String {
    switch version {
    case .default: "url: \(location), exact: \(StringLiteral.escaped(generatorVersion))"
    case .branch(let name): "url: \(location), branch: \(StringLiteral.escaped(name))"
    case .commit(let hash): "url: \(location), revision: \(StringLiteral.escaped(hash))"
    case .exact(let version): "url: \(location), exact: \(StringLiteral.escaped(version))"
    case .from(let version): "url: \(location), from: \(StringLiteral.escaped(version))"
    case .local: "name: \(package), path: \(location)"
    }
  }

  /// SwiftPM knows a repository by the last part of its address. A folder may have any name, or end in `..`; it is given the one
  /// that the package has itself.
  private static func name(
    ofPackageAt location: String, _ version: ApolloCodegenConfiguration.SDKDependency.Version
  ) -> String {
    if case .local = version { return "apollo-swift" }
    let folder = Path.name(of: location.hasSuffix("/") ? String(location.dropLast()) : location)
    return folder.hasSuffix(".git") ? String(folder.dropLast(4)) : folder
  }
}

extension ApolloCodegenConfiguration.SDKDependency {
  /// The URL or the folder of the runtime's package; `nil` when the configuration names neither.
  var location: String? {
    if case .local(let path) = version { return path }
    return url
  }
}

/// The version of the generator and of the runtime it writes for.
public let generatorVersion = "0.1.0"

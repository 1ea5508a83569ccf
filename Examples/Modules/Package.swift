// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Modules",
  platforms: [.macOS(.v13)],
  dependencies: [
    // In a project of your own, the repository's URL and a version stand here.
    .package(name: "apollo-swift", path: "../.."),
    // The types of the schema: written by `apollo-cli generate`, its `Package.swift` too.
    .package(path: "LibraryAPI"),
  ],
  targets: [
    .executableTarget(name: "Bookshop", dependencies: ["Catalog", "Loans"]),
    // Two modules with operations. They do not know each other.
    module("Catalog", dependencies: ["SharedFragments"]),
    module("Loans", dependencies: ["SharedFragments"]),
    // Fragments that both use: an operation says so with `@import(module: "SharedFragments")`.
    module("SharedFragments"),
    .testTarget(
      name: "CatalogTests",
      dependencies: ["Catalog", .product(name: "LibraryAPITestMocks", package: "LibraryAPI")]),
  ],
  swiftLanguageModes: [.v6]
)

/// A module with operations of its own. Their code is generated beside them.
func module(_ name: String, dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name,
    dependencies: dependencies + [
      .product(name: "LibraryAPI", package: "LibraryAPI"),
      .product(name: "ApolloAPI", package: "apollo-swift"),
    ],
    exclude: ["GraphQL"])
}

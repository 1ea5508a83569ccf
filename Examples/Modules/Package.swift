// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Modules",
  platforms: [.macOS(.v13)],
  dependencies: [
    // In your own project, use the repository's URL and a version.
    .package(name: "apollo-swift", path: "../.."),
    // The types of the schema. `apollo-cli generate` writes this package.
    .package(path: "LibraryAPI"),
  ],
  targets: [
    .executableTarget(name: "Bookshop", dependencies: ["Catalog", "Loans"]),
    // Two modules with operations, independent of each other.
    module("Catalog", dependencies: ["SharedFragments"]),
    module("Loans", dependencies: ["SharedFragments"]),
    // The fragments of both. Their operations have `@import(module: "SharedFragments")`.
    module("SharedFragments"),
    .testTarget(
      name: "CatalogTests",
      dependencies: ["Catalog", .product(name: "LibraryAPITestMocks", package: "LibraryAPI")]),
  ],
  swiftLanguageModes: [.v6]
)

/// A module with operations and the code that is generated for them.
func module(_ name: String, dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name,
    dependencies: dependencies + [
      .product(name: "LibraryAPI", package: "LibraryAPI"),
      .product(name: "ApolloAPI", package: "apollo-swift"),
    ],
    exclude: ["GraphQL"])
}

// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Catalog",
  platforms: [.macOS(.v14)],
  dependencies: [
    // In your own project, use the repository's URL and a version.
    .package(name: "apollo-swift", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Catalog",
      dependencies: [
        "CatalogAPI",
        .product(name: "ApolloPagination", package: "apollo-swift"),
      ]),
    // `apollo-cli generate` writes the files of this target.
    .target(
      name: "CatalogAPI",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")]),
  ],
  swiftLanguageModes: [.v6]
)

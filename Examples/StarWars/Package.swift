// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "StarWars",
  platforms: [.macOS(.v13)],
  dependencies: [
    // In your own project, use the repository's URL and a version.
    .package(name: "apollo-swift", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "StarWars",
      dependencies: [
        "StarWarsAPI",
        .product(name: "Apollo", package: "apollo-swift"),
      ]),
    // `apollo-cli generate` writes all files of this target.
    .target(
      name: "StarWarsAPI",
      dependencies: [
        .product(name: "ApolloAPI", package: "apollo-swift")
      ]),
  ],
  swiftLanguageModes: [.v6]
)

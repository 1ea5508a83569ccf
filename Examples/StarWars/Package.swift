// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "StarWars",
  platforms: [.macOS(.v13)],
  dependencies: [
    // In a project of your own, the repository's URL and a version stand here.
    .package(name: "apollo-swift", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "StarWars",
      dependencies: [
        "StarWarsAPI",
        .product(name: "Apollo", package: "apollo-swift"),
      ]),
    // Everything in here is written by `apollo-cli generate`.
    .target(
      name: "StarWarsAPI",
      dependencies: [
        .product(name: "ApolloAPI", package: "apollo-swift")
      ]),
  ],
  swiftLanguageModes: [.v6]
)

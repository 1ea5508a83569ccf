// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "MyApp",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "apollo-swift", path: "../apollo-swift")],
  targets: [
    .executableTarget(
      name: "MyApp",
      dependencies: [
        "MyAPI",
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloSQLite", package: "apollo-swift"),
      ]),
    .target(
      name: "MyAPI",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")]),
  ]
)

// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Fleet",
  platforms: [.macOS(.v13)],
  dependencies: [
    // In your own project, use the repository's URL and a version.
    .package(name: "apollo-swift", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Fleet",
      dependencies: [
        .product(name: "Apollo", package: "apollo-swift"),
        .product(name: "ApolloRedis", package: "apollo-swift"),
      ],
      exclude: ["apollo-codegen-config.json", "GraphQL"],
      plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")])
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "TodoList",
  platforms: [.macOS(.v14)],
  dependencies: [
    // In your own project, use the repository's URL and a version.
    .package(name: "apollo-swift", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "TodoList",
      dependencies: [
        "Todos",
        .product(name: "ApolloSQLite", package: "apollo-swift"),
      ]),
    // The list without a server: its changes wait on disk.
    .executableTarget(
      name: "TodoOffline",
      dependencies: [
        "TodoAPI",
        .product(name: "ApolloOffline", package: "apollo-swift"),
        .product(name: "ApolloSQLite", package: "apollo-swift"),
      ]),
    // The list without a user interface, so that tests can use it.
    .target(
      name: "Todos",
      dependencies: [
        "TodoAPI",
        .product(name: "ApolloObservation", package: "apollo-swift"),
      ]),
    .testTarget(name: "TodosTests", dependencies: ["Todos", "TodoAPITestMocks"]),
    // `apollo-cli generate` writes the files of these targets.
    .target(
      name: "TodoAPI",
      dependencies: [.product(name: "ApolloAPI", package: "apollo-swift")]),
    .target(
      name: "TodoAPITestMocks",
      dependencies: [
        "TodoAPI",
        .product(name: "ApolloTestSupport", package: "apollo-swift"),
      ],
      path: "Tests/TodoAPITestMocks"),
  ],
  swiftLanguageModes: [.v6]
)

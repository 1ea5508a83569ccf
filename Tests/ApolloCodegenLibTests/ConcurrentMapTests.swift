import Testing

@testable import ApolloCodegenLib

struct ConcurrentMapTests {
  @Test(arguments: [0, 1, 7, 8, 9, 1_000])
  func returnsResultsInTheOrderOfTheElements(count: Int) {
    let results = Array(0..<count).concurrentMap { "\($0)" }
    #expect(results == (0..<count).map { "\($0)" })
  }

  @Test func reportsTheFirstFileThatCannotBeCreated() throws {
    let folder = try TemporaryFolder()
    let files = (0..<40).map { number in
      NewFile(path: "\(folder.path)/\(number < 20 ? "" : "missing/")\(number)", bytes: [1, 2])
    }
    let error = #expect(throws: DiskError.self) { try Disk().create(files) }
    #expect(error?.path == files[20].path)
    for file in files[..<20] { #expect(try Disk().read(file.path) == [1, 2]) }
  }
}

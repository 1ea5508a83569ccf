import Foundation
import Testing

/// Blocks of code are recognized as such. The tests of their contents see only what is between
/// fences, so they cannot notice a broken fence.
struct DocumentationFenceTests {
  /// A fence of two backticks makes text of the code, which is not compiled then.
  @Test func everyFenceHasThreeBackticks() throws {
    for page in try DocumentationPage.all() {
      let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        let backticks = line.prefix { $0 == "`" }.count
        guard backticks == 1 || backticks == 2, !line.dropFirst(backticks).contains("`") else {
          continue
        }
        Issue.record("\(page.file.path):\(index + 1): '\(line)' is no fence.")
      }
    }
  }

  @Test func everyOpenedFenceIsClosed() throws {
    for page in try DocumentationPage.all() {
      let count = page.text.split(separator: "\n").count { $0.hasPrefix("```") }
      #expect(count.isMultiple(of: 2), "\(page.file.path): a block of code does not end.")
    }
  }
}

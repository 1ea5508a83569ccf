import Foundation

/// The printed steps of the example, with their durations.
struct Transcript {
  private let isColourful =
    isatty(STDOUT_FILENO) != 0 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  private var count = 0

  /// Starts a step and its clock.
  mutating func begin(_ title: String, _ detail: String) -> Step {
    count += 1
    return Step(number: count, title: title, detail: detail, isColourful: isColourful)
  }

  /// Prints a line under the current step.
  func say(_ text: String) {
    print("     \(text)")
  }

  /// Prints lines under the current step, as a tree.
  func list(_ items: [String]) {
    for (index, item) in items.enumerated() {
      say("\(index == items.count - 1 ? "└─" : "├─") \(item)")
    }
  }
}

/// A step in progress.
struct Step {
  fileprivate let number: Int
  fileprivate let title: String
  fileprivate let detail: String
  fileprivate let isColourful: Bool
  private let start = ContinuousClock.now

  fileprivate init(number: Int, title: String, detail: String, isColourful: Bool) {
    self.number = number
    self.title = title
    self.detail = detail
    self.isColourful = isColourful
  }

  /// Stops the clock and prints the step's heading.
  func end() {
    let time = text(of: ContinuousClock.now - start)
    let dots = String(repeating: "·", count: max(3, 60 - title.count - time.count))
    print("\n  \(bold("\(number)  \(title)")) \(dim(dots)) \(bold(time))")
    print("     \(dim(detail))")
  }

  private func bold(_ text: String) -> String { isColourful ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  private func dim(_ text: String) -> String { isColourful ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  private func text(of duration: Duration) -> String {
    let microseconds = duration / .microseconds(1)
    return microseconds < 1000
      ? String(format: "%.0f µs", microseconds) : String(format: "%.1f ms", microseconds / 1000)
  }
}

/// Prints an error and ends the program.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(1)
}

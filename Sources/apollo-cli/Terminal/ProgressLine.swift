import Foundation

/// A display of the current step of work that takes longer than half a second.
///
/// On a terminal it is one line that changes and finally disappears. Elsewhere, each step that
/// begins later than that is a line of its own. With `--quiet`, and when the variable
/// `APOLLO_CLI_PROGRESS` is `never`, nothing is shown.
// Because `lock` guards all mutable state.
final class ProgressLine: @unchecked Sendable {
  /// The time after which the first step is shown.
  private static let delay = Duration.milliseconds(500)

  private let lock = NSLock()
  private let isShown: Bool
  private let isInteractive = Terminal.isInteractive
  /// The step that is running, or `nil` before the first and after the last.
  private var step: String?
  private var isLate = false
  private var timer: Task<Void, Never>?

  init() {
    isShown = !Terminal.style.isQuiet && Environment.variable("APOLLO_CLI_PROGRESS") != "never"
  }

  /// Shows the step that begins, if work has been going on for a while.
  func show(_ text: String) {
    guard isShown else { return }
    lock.withLock {
      step = text
      if isLate { draw() }
      if timer == nil { startTimer() }
    }
  }

  /// Removes the line.
  func clear() {
    lock.withLock {
      timer?.cancel()
      timer = nil
      step = nil
      if isLate, isInteractive { Terminal.write("\r\u{1B}[K", to: Terminal.standardError) }
      isLate = false
    }
  }

  // The work itself blocks the main thread.
  private func startTimer() {
    timer = Task.detached { [weak self] in
      guard (try? await Task.sleep(for: Self.delay)) != nil else { return }
      self?.becomeLate()
    }
  }

  private func becomeLate() {
    lock.withLock {
      guard step != nil else { return }
      isLate = true
      draw()
    }
  }

  private func draw() {
    guard let step else { return }
    let text = isInteractive ? "\r\u{1B}[K\(step)" : "\(step)\n"
    Terminal.write(text, to: Terminal.standardError)
  }
}

/// A line on the terminal that shows the current step and disappears afterwards. Nothing is shown
/// elsewhere.
struct ProgressLine {
  private let isShown = Terminal.isInteractive

  func show(_ text: String) {
    if isShown { Terminal.write("\r\u{1B}[K\(text)", to: Terminal.standardError) }
  }

  func clear() {
    if isShown { Terminal.write("\r\u{1B}[K", to: Terminal.standardError) }
  }
}

/// A line on the terminal that says what is being done, and goes away when it is done. Elsewhere nothing is shown.
struct ProgressLine {
  private let isShown = Terminal.isInteractive

  func show(_ text: String) {
    if isShown { Terminal.write("\r\u{1B}[K\(text)", to: Terminal.standardError) }
  }

  func clear() {
    if isShown { Terminal.write("\r\u{1B}[K", to: Terminal.standardError) }
  }
}

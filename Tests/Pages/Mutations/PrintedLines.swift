import Dispatch

/// A line that the code of the page printed.
struct PrintedLine: Equatable {
  var text: String
  var isOnMainQueue: Bool

  /// Returns the next line, as soon as it is printed. Lines are read in order, each of them once.
  static func next() async -> PrintedLine? {
    var lines = channel.stream.makeAsyncIterator()
    return await lines.next()
  }

  fileprivate static let channel = AsyncStream<PrintedLine>.makeStream()

  /// Marks the main queue. A program that waits in `dispatchMain()` has no main thread on Linux.
  fileprivate static let mainQueue = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}

/// Takes the place of Swift's function in the code of the page.
func print<Value>(_ value: Value) {
  let isOnMainQueue = DispatchQueue.getSpecific(key: PrintedLine.mainQueue) ?? false
  PrintedLine.channel.continuation.yield(
    PrintedLine(text: "\(value)", isOnMainQueue: isOnMainQueue))
}

import Foundation

extension FileHandle {
  /// Waits for a line, and returns it without its end; `nil` when the file ends before.
  func nextLine() -> String? {
    var line: [UInt8] = []
    while let byte = readData(ofLength: 1).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}

package import Foundation

extension FileHandle {
  /// Waits for a line, and returns it without its end; `nil` when the file ends before.
  package func nextLine() async -> String? {
    await onThreadOfItsOwn {
      var line: [UInt8] = []
      while let byte = self.readData(ofLength: 1).first {
        if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
        line.append(byte)
      }
      return nil
    }
  }

  /// Waits for the end of the file, and returns everything before it as text.
  package func remainingText() async -> String {
    await onThreadOfItsOwn { String(decoding: self.readDataToEndOfFile(), as: UTF8.self) }
  }
}

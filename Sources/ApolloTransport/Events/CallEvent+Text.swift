import Foundation

extension CallEvent: CustomStringConvertible {
  /// One line: the call, the operation, the time, the step and its facts, without secrets.
  public var description: String {
    "\(call.id) \(call.spanName) +\(time.inMilliseconds) \(kind)"
  }
}

extension CallEvent.Kind: CustomStringConvertible {
  /// The name of the step and its facts, such as `firstByte 200`.
  public var description: String {
    switch self {
    case .began, .joined, .sent, .completed, .cancelled: name
    case .cacheRead(let outcome, let duration): "\(name) \(outcome) \(duration.inMilliseconds)"
    case .requestBuilt(let request): "\(name) \(request)"
    case .retried(let error): error.map { "\(name) after: \($0)" } ?? name
    case .uploaded(let progress):
      "\(name) \(progress.sentByteCount) of \(progress.totalByteCount) bytes"
    case .firstByte(let response): "\(name) \(response)"
    case .received(let byteCount): "\(name) \(byteCount) bytes"
    case .decoded(let errorCount, let duration):
      "\(name) \(duration.inMilliseconds)" + (errorCount > 0 ? " \(errorCount) errors" : "")
    case .cacheWritten(let duration): "\(name) \(duration.inMilliseconds)"
    case .unknownLists(let lists):
      "\(name) \(lists.map(\.description).joined(separator: "; "))"
    case .delivered(let source): "\(name) \(source)"
    case .failed(let error): "\(name) \(error)"
    }
  }

  /// The name of the step, such as `firstByte`.
  public var name: String {
    switch self {
    case .began: "began"
    case .cacheRead: "cacheRead"
    case .requestBuilt: "requestBuilt"
    case .retried: "retried"
    case .joined: "joined"
    case .sent: "sent"
    case .uploaded: "uploaded"
    case .firstByte: "firstByte"
    case .received: "received"
    case .decoded: "decoded"
    case .cacheWritten: "cacheWritten"
    case .unknownLists: "unknownLists"
    case .delivered: "delivered"
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

extension Duration {
  /// The duration with one decimal place, such as "12.4 ms".
  fileprivate var inMilliseconds: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return "\(tenths / 10).\(abs(tenths % 10)) ms"
  }
}

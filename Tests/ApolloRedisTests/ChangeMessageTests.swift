import ApolloAPI
import ApolloCache
import Foundation
import Testing

@testable import ApolloRedis

@Suite struct ChangeMessageTests {
  private let writer = [UInt8](repeating: 7, count: ChangeMessage.writerCount)
  private let meta = "ab:12|ab:12"

  private func bytes(_ changes: ChangeSet, partition: Int = 3) -> [UInt8] {
    ChangeMessage.prefix(partition) + Array(meta.utf8)
      + ChangeMessage.suffix(changes, from: writer, partition)
  }

  private var changes: ChangeSet {
    var changes = ChangeSet()
    changes.insert("Hero:1")
    changes.insert(FieldAddress(record: "Hero:2", field: "name"))
    return changes
  }

  @Test func aMessageIsReadAsItWasWritten() throws {
    let message = try #require(ChangeMessage(bytes(changes)))
    #expect(message.partition == 3)
    #expect(message.meta == Meta(epoch: "ab", version: 12))
    #expect(message.writer == writer)
    #expect(message.changes.records == ["Hero:1", "Hero:2"])
    #expect(message.changes.addresses == changes.addresses)
    #expect(try #require(ChangeMessage(bytes(.everything))).changes.includesEverything)
  }

  @Test func noDamagedMessageIsRead() {
    let whole = bytes(changes)
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 0x10
      #expect(ChangeMessage(damaged) == nil, "byte \(index)")
      #expect(ChangeMessage(Array(whole[..<index])) == nil, "the first \(index) bytes")
    }
  }
}

@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct ChannelSubscriptionTests {
  @Test func deliversMessagesAsTheyAre() async throws {
    let server = try await RedisServer.shared()
    let client = try RedisClient(servers: [server.url], timeout: .seconds(60))
    let channel = Array(UUID().uuidString.utf8)
    let (events, continuation) = AsyncStream<ChannelSubscription.Event>.makeStream()
    let subscription = client.subscribe(to: channel) { continuation.yield($0) }
    var messages: [[UInt8]] = []
    for await event in events {
      switch event {
      case .isLive:
        for number in UInt8(0)..<3 {
          _ = try await server.send(RedisCommand("PUBLISH", [channel, [number, 0, 13, 10]]))
        }
      case .message(let bytes): messages.append(bytes)
      case .isChecked: break
      case .isLost: messages = []  // a busy machine; it is live again soon
      }
      if messages.count == 3 { break }
    }
    #expect(messages == (UInt8(0)..<3).map { [$0, 0, 13, 10] })
    withExtendedLifetime(subscription) {}
  }

  /// The first server may be the reason for the restart.
  @Test func aRestartLeadsToTheNextServer() async throws {
    let first = try await RedisServer.shared()
    let second = try await RedisServer()
    let client = try RedisClient(servers: [first.url, second.url], timeout: .seconds(60))
    let channel = Array(UUID().uuidString.utf8)
    let (events, continuation) = AsyncStream<ChannelSubscription.Event>.makeStream()
    let subscription = client.subscribe(to: channel) { continuation.yield($0) }
    var received: [UInt8] = []
    for await event in events {
      switch event {
      case .isLive:
        _ = try await first.send(RedisCommand("PUBLISH", [channel, [1]]))
        _ = try await second.send(RedisCommand("PUBLISH", [channel, [2]]))
      case .message(let bytes):
        received += bytes
        subscription.restart()
      case .isChecked, .isLost: break
      }
      if received.count == 3 { break }
    }
    #expect(Set(received) == [1, 2])
    try await second.stop()
  }
}

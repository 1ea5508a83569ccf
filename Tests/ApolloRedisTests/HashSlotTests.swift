import Testing
@testable import ApolloRedis
@Suite struct HashSlotTests {
  @Test func theSpecificationsExampleHasItsChecksum() {
    #expect(HashSlot.crc16("123456789".utf8) == 0x31C3)
  }
}

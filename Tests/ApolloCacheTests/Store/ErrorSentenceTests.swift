import ApolloAPI
import ApolloCache
import Foundation
import Testing

/// The sentence of each error, word for word.
struct ErrorSentenceTests {
  private static let address = FieldAddress(record: "Book:7", field: "title")

  @Test(arguments: [
    (
      CacheMiss.Code.noRecord,
      "'book.title' is not in the cache: there is no record 'Book:7'. Fetch it first."
    ),
    (
      .noField,
      "'book.title' is not in the cache: the record 'Book:7' has no field 'title'. Fetch it first."
    ),
    (.failed, "'book.title' failed on the server ('Too busy.'). Fetch it again."),
    (
      .unexpectedNull,
      "'book.title' is null in the cache (title of Book:7), but must not be. Fetch it again."
    ),
    (
      .mismatch,
      "'book.title' has another kind of value in the cache (title of Book:7) than the operation expects. Fetch it again."
    ),
    (
      CacheMiss.Code(description: "later"),
      "'book.title' cannot be read from the cache (title of Book:7): later. Fetch it again."
    ),
  ])
  func aMiss(code: CacheMiss.Code, sentence: String) {
    let miss = CacheMiss(
      code, path: ["book", "title"], address: Self.address, serverMessage: "Too busy.")
    #expect(miss.description == sentence)
    #expect(miss.localizedDescription == miss.description)
  }

  @Test func aMissOfTheWholeResponse() {
    let miss = CacheMiss(.noRecord, path: [], address: Self.address)
    #expect(
      miss.description
        == "The response is not in the cache: there is no record 'Book:7'. Fetch it first.")
  }

  @Test func anOperationThatTheCacheLacks() {
    let miss = CacheMiss(.noRecord, path: ["book"], address: Self.address)
    let sentence = "The cache does not have all data of 'Hero'. \(miss)"
    #expect(CacheMissError(operationName: "Hero", misses: [miss]).description == sentence)
    let several = CacheMissError(operationName: "Hero", misses: [miss, miss, miss])
    #expect(several.description == "\(sentence) (2 more)")
    #expect(several.localizedDescription == several.description)
    #expect(
      CacheMissError(operationName: "Hero", misses: []).description
        == "The cache does not have all data of 'Hero'. Fetch it from the server first.")
  }

  @Test(arguments: [
    (
      StoreError.Code.reentrantTransaction,
      "A transaction was started inside of a transaction on the same store. Use the transaction that is already there."
    ),
    (
      .transactionEnded,
      "A transaction was used after its body had returned. Start another one."
    ),
    (
      .requiresAsynchronousReading,
      "The cache of this store can only be read asynchronously. Read with 'load' instead of a transaction."
    ),
    (
      StoreError.Code(description: "later"),
      "The store was used in a wrong way (later). See its documentation."
    ),
  ])
  func aWrongUseOfAStore(code: StoreError.Code, sentence: String) {
    #expect(StoreError(code).description == sentence)
    #expect(StoreError(code).localizedDescription == sentence)
  }
}

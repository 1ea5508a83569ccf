import Foundation

/// The elements of the response to a batch.
///
/// | body | result for each query |
/// | :-- | :-- |
/// | an array with one object for each query | its element |
/// | a shorter array | its element; ``BatchResponseError/Code/missingElement`` for the last ones |
/// | an array that becomes malformed | its element; ``BatchResponseError/Code/malformedElement`` from there on |
/// | a longer array | ``BatchResponseError/Code/tooManyElements`` |
/// | an object with data | ``BatchResponseError/Code/notAnArray`` |
/// | anything else, such as GraphQL errors or a page | the body, as the response to each query |
enum BatchResponse {
  /// Returns the body of each query's response.
  static func bodies(
    in body: Data, queryCount: Int, url: URL?
  ) -> [Result<Data, BatchResponseError>] {
    func failure(_ code: BatchResponseError.Code, _ index: Int) -> Result<Data, BatchResponseError>
    {
      .failure(BatchResponseError(code, url: url, index: index, queryCount: queryCount))
    }
    guard let (elements, isMalformed) = elements(of: body) else {
      // A server that takes no arrays may respond to an array of one as to its element.
      let hasData = queryCount > 1 && ResponseOutline(body).hasData
      return (0..<queryCount).map { hasData ? failure(.notAnArray, $0) : .success(body) }
    }
    return (0..<queryCount).map { index in
      guard elements.count <= queryCount else { return failure(.tooManyElements, index) }
      guard index < elements.count else {
        return failure(isMalformed ? .malformedElement : .missingElement, index)
      }
      guard let range = elements[index] else { return failure(.malformedElement, index) }
      return .success(
        body.subdata(in: body.startIndex + range.lowerBound..<body.startIndex + range.upperBound))
    }
  }

  /// Returns the ranges of an array's elements, `nil` for those that are not objects, and whether
  /// the array is malformed behind them; or `nil` if the body is not an array.
  private static func elements(of body: Data) -> ([Range<Int>?], isMalformed: Bool)? {
    body.withUnsafeBytes { bytes in
      var elements: [Range<Int>?] = []
      let bytes = bytes.assumingMemoryBound(to: UInt8.self)
      var scanner = JSONScanner(bytes, 0..<bytes.count)
      scanner.skipByteOrderMark()
      scanner.skipWhitespace()
      guard scanner.kind == .list else { return nil }
      do {
        try scanner.readElements { scanner throws(ResponseStreamError) in
          let kind = scanner.kind
          let range = try scanner.skipValue()
          elements.append(kind == .object ? range : nil)
        }
        return (elements, false)
      } catch {
        return (elements, true)
      }
    }
  }
}

extension OperationRequest {
  /// Sends the operation with `send` and reports the progress of its upload to the caller's handler
  /// and to the observers, if there are any.
  package func reportingUpload<Response>(
    _ send: () async throws -> Response
  ) async throws -> Response {
    guard !files.isEmpty, uploadProgressHandler != nil || facts.events != nil else {
      return try await send()
    }
    let (uploadProgressHandler, events) = (uploadProgressHandler, facts.events)
    let reporter = UploadProgressReporter { progress in
      uploadProgressHandler?(progress)
      events?.record(.uploaded(progress))
    }
    let response: Response
    do {
      response = try await UploadProgressReporter.$current.withValue(reporter) {
        try await send()
      }
    } catch {
      await reporter.end()
      throw error
    }
    await reporter.end()
    return response
  }
}

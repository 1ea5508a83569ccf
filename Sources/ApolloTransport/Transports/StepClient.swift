/// The client that a step has for its requests. Each HTTP transport takes it from the facts of the
/// call.
package struct StepClient: ClientOfStep {
  let client: any HTTPClient

  package init(_ client: any HTTPClient) { self.client = client }

  package var identity: ObjectIdentifier { ObjectIdentifier(client) }
}

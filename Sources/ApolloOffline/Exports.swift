// A queue belongs to a client, so who imports this module needs that too.
@_exported public import Apollo

#if CURL
  import Foundation
  import Testing

  @testable import ApolloTransport

  struct ProxyEnvironmentTests {
    private func proxy(for url: String, _ variables: [String: String]) throws -> String? {
      ProxyEnvironment { variables[$0] }.proxy(for: try #require(URL(string: url)))
    }

    @Test(arguments: [
      ("http_proxy", true, false), ("HTTP_PROXY", false, false), ("https_proxy", false, true),
      ("HTTPS_PROXY", false, true), ("all_proxy", true, true), ("ALL_PROXY", true, true),
      ("ftp_proxy", false, false),
    ])
    func eachVariableIsForItsSchemes(_ name: String, _ isForHTTP: Bool, _ isForHTTPS: Bool) throws {
      let variables = [name: "proxy:8080"]
      #expect(try proxy(for: "http://host/", variables) == (isForHTTP ? "proxy:8080" : nil))
      #expect(try proxy(for: "HTTPS://host/", variables) == (isForHTTPS ? "proxy:8080" : nil))
    }

    @Test func theSchemeGoesBeforeAllAndLowerCaseBeforeUpperCase() throws {
      let variables = ["https_proxy": "a", "HTTPS_PROXY": "b", "all_proxy": "c"]
      #expect(try proxy(for: "https://host/", variables) == "a")
      #expect(try proxy(for: "http://host/", variables) == "c")
      let empty = ["https_proxy": "", "ALL_PROXY": "d"]
      #expect(try proxy(for: "https://host/", empty) == "d")
    }

    @Test(arguments: [
      "localhost", "LOCALHOST:1", "a.localhost", "127.0.0.1", "127.255.0.9:80", "[::1]",
      "[::1]:8080",
    ])
    func theLoopbackInterfaceIsExempt(_ host: String) throws {
      #expect(try proxy(for: "http://\(host)/", ["all_proxy": "proxy"]) == nil)
    }

    @Test(arguments: ["127.0.0.1.example", "localhost.example", "128.0.0.1", "[::2]"])
    func whatLooksLikeTheLoopbackInterfaceIsNot(_ host: String) throws {
      #expect(try proxy(for: "http://\(host)/", ["all_proxy": "proxy"]) == "proxy")
    }

    @Test(arguments: [
      ("api.example.com", "api.example.com"), ("api.example.com", "example.com"),
      ("api.example.com", ".example.com"), ("example.com", ".example.com"),
      ("API.example.com:8443", "example.COM"), ("a.b", "x, a.b ,y"), ("a.b", "x a.b"),
      ("a.b", "*"), ("a.b.", "a.b"), ("10.1.2.3", "10.1.2.3"), ("10.1.2.3", "10.0.0.0/8"),
      ("10.1.2.3", "10.1.2.2/31"), ("[2001:db8::7]", "2001:db8::/32"),
      ("[2001:db8::7]", "[2001:db8::7]"),
    ])
    func exceptionsAreReachedDirectly(_ host: String, _ exceptions: String) throws {
      for name in ["no_proxy", "NO_PROXY"] {
        #expect(try proxy(for: "http://\(host)/", ["all_proxy": "proxy", name: exceptions]) == nil)
      }
    }

    @Test(arguments: [
      ("api.example.com", "ample.com"), ("example.com", "api.example.com"), ("a.b", ""),
      ("a.b", ","), ("a.b", "."), ("10.1.2.3", "10.1.2"), ("10.1.2.3", "11.0.0.0/8"),
      ("10.1.2.3", "10.0.0.0/33"), ("10.1.2.3", "10.0.0.0/x"), ("10.1.2.3", "::/0"),
    ])
    func otherHostsAreNot(_ host: String, _ exceptions: String) throws {
      let variables = ["all_proxy": "proxy", "no_proxy": exceptions]
      #expect(try proxy(for: "http://\(host)/", variables) == "proxy")
    }

    @Test func lowerCaseExceptionsGoFirst() throws {
      let variables = ["all_proxy": "proxy", "no_proxy": "x", "NO_PROXY": "host"]
      #expect(try proxy(for: "http://host/", variables) == "proxy")
    }
  }
#endif

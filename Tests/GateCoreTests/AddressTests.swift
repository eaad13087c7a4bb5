import Testing

@testable import GateCore

struct AddressTests {
  @Test(arguments: [
    "https://example.org", "http://example.org/a?b#c", "HTTPS://Example.org:8443/", "https://[::1]:80/",
    "https://127.0.0.1",
  ])
  func pages(_ text: String) { #expect(Address.isPage(text) && Address.isStore(text)) }

  @Test(arguments: [
    "", "https:", "https://", "https:///x", "https:// example.org", "https://exa mple.org", "https://example.org\n",
    "https://example.org/\u{202E}", "https://münchen.example", "javascript:alert(1)", "file:///etc/passwd",
    "example.org",
    "//example.org", "https://user@example.org", "https://example.org:x", "https://example.org:70000", "https://[::1",
    "https://a]b/", "https://example.org/\"", "https://example.org/<b>", "1https://example.org", "ftp://example.org",
    "https://.", "data:text/html,x", "appstream:", "snap://", "https://example.org/\u{7F}", "https\\://example.org",
  ])
  func neitherPageNorStore(_ text: String) { #expect(!Address.isPage(text) && !Address.isStore(text)) }

  @Test(arguments: ["appstream:io.x", "appstream://io.x", "snap:app-gates", "snap://app-gates"])
  func stores(_ text: String) { #expect(Address.isStore(text) && !Address.isPage(text)) }

  @Test(arguments: ["https://example.org/capture", "http://127.0.0.1:8080/x", "http://[::1]/", "http://localhost:1"])
  func services(_ text: String) { #expect(Address.isService(text)) }

  @Test(arguments: [
    "http://example.org", "http://127.0.0.1.example.org", "http://localhost.example.org", "http://128.0.0.1",
    "http://127.1", "http://127.0.0.256", "http://127.0.0.+1", "appstream:io.x", "http://localhost@example.org",
  ])
  func noServices(_ text: String) { #expect(!Address.isService(text)) }
}

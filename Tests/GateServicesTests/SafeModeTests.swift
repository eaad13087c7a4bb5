import GLibKit
import GateCore
import Testing

@testable import GateServices

/// What safe mode exports and sets aside, by what the settings say of whose session it is.
@MainActor
struct SafeModeTests {
  let scratch = Scratch()
  private let other = Account.openID(OpenIDAccount(issuer: "https://id.example.com", subject: "1"))

  private func client(of account: Account = .local) -> SafeModeClient {
    .live(scratch.paths, stores: TodoStores(scratch.paths), account: { account }, leave: {})
  }

  private func make() throws {
    for (account, title) in [(Account.local, "local"), (other, "theirs")] {
      let todo = Todo(id: 0, title: title, isDone: false, created: 0, completed: nil, position: 1, line: nil)
      _ = try TodoStore(scratch.paths, of: account).insert(todo)
    }
    try scratch.write("rubbish", to: scratch.paths.data + "/todos.sqlite3.damaged-20260101T000000Z")
  }

  private func titles(_ client: SafeModeClient) throws -> Set<String> {
    Set(try client.todos().split(separator: "\n").map { String($0.split(separator: " ").last ?? "") })
  }

  @Test func theSessionsListIsExported() throws {
    #expect(throws: FileFault.missing) { try client().todos() }
    try make()
    #expect(try titles(client()) == ["local"])
    try scratch.write("[preferences]\nsessionName=x\n", to: scratch.paths.preferences)
    #expect(try titles(client(of: other)) == ["theirs"])
    #expect(client(of: other).damaged() == [])
  }

  @Test func whereTheSettingsAreDamagedAllListsAre() throws {
    try make()
    try scratch.write("rubbish\n", to: scratch.paths.preferences)
    let client = client()
    #expect(try titles(client) == ["local", "theirs"])
    let settings = DamagedFile.preferences(path: scratch.paths.display(scratch.paths.preferences))
    #expect(client.damaged() == [settings])
    // Those that took their place know of no session either.
    _ = try client.setAside(settings)
    #expect(try titles(client) == ["local", "theirs"])
  }

  @Test func aListOfAnAccountThatIsDamagedIsFoundAndSetAside() throws {
    try make()
    try scratch.write("rubbish\n", to: scratch.paths.preferences)
    let path = scratch.paths.todos(of: other)
    for part in ["-wal", "-shm"] { try Files.remove(path + part) }
    try scratch.write(String(repeating: "rubbish", count: 1000), to: path)
    let client = client()
    let list = DamagedFile.todos(path: scratch.paths.display(path))
    #expect(client.damaged().contains(list))
    #expect(throws: FileFault.damaged) { try client.todos() }
    let copy = try client.setAside(list)
    #expect(copy.hasPrefix(list.path + ".damaged-"))
    #expect(try titles(client) == ["local"])
    #expect(!Files.exists(path))
  }
}

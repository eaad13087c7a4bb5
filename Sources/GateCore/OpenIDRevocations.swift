/// Tells a provider to forget tokens (RFC 7009); nobody waits for it.
///
/// Main thread. What is under way is given up when this goes.
@MainActor
final class OpenIDRevocations {
  private var underWay: [Int: WebCancel] = [:]
  private var count = 0

  isolated deinit {
    for cancel in underWay.values { cancel() }
  }

  /// Sends the tokens that are to be forgotten, where the provider has an address for that; `done` says why it has not
  /// taken them, or nothing where it has.
  func send(
    _ tokens: OpenIDTokens, with permission: WebPermission, through services: SignInServices,
    done: @escaping @MainActor (OpenIDFault?) -> Void
  ) {
    guard let request = tokens.revocationRequest else { return }
    count += 1
    var isOver = false
    let cancel = services.web.send(request, with: permission) { [weak self, count] result in
      isOver = true
      self?.underWay[count] = nil
      let fault = OpenIDRevocations.fault(in: result)
      if let fault { services.client.log("The provider could not be told that the session is over: \(fault).") }
      done(fault)
    }
    if !isOver { underWay[count] = cancel }
  }

  private static func fault(in result: Result<WebAnswer, WebFault>) -> OpenIDFault? {
    switch result {
    case .success(let answer): answer.isSuccess ? nil : .answered(status: answer.status)
    case .failure(let fault): .web(fault)
    }
  }
}

// swift-tools-version: 6.2
// The house as the package manager sees it. Which room may import which is in Tests/Check/imports.txt.
import PackageDescription

/// FORTIFY is set here and not on the command line, where it breaks the import of GTK's headers.
let hardened: [CSetting] = [
  .unsafeFlags(["-Wall", "-Wextra", "-fstack-protector-strong"]),
  .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
]

/// Linked by lld, which comes with the toolchain.
///
/// It leaves out what is not used or there twice, packs the relocations (glibc 2.36) and exports nothing, which spares
/// nearly a megabyte of memory at each start. What a start runs lies side by side, which spares another: the kernel maps
/// what is around each function as well.
let lean: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "--icf=safe", "-Xlinker", "-z", "-Xlinker",
      "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--no-export-dynamic",
      "-Xlinker", "--symbol-ordering-file=" + Context.packageDirectory + "/Scripts/start-order.txt",
      "-Xlinker", "--no-warn-symbol-ordering",
    ], .when(configuration: .release))
]

/// SwiftPM links C with swiftc, and the runtime would come along: its crash handler writes out memory.
///
/// What is still linked then is the C++ library: nothing uses it, and it makes each start of a helper half as long again.
let withoutSwift: LinkerSetting = .unsafeFlags([
  "-nostartfiles", "-static-stdlib", "-L", Context.packageDirectory + "/Sources/app-gates-auth/left-out",
  "-Xlinker", "-z", "-Xlinker", "now",
])

let package = Package(
  name: "app-gates",
  products: [
    .executable(name: "app-gates", targets: ["app-gates"]),
    .executable(name: "app-gates-auth", targets: ["app-gates-auth"]),
    .executable(name: "app-gates-web", targets: ["app-gates-web"]),
  ],
  targets: [
    .systemLibrary(name: "CGLib", pkgConfig: "gio-unix-2.0"),
    .systemLibrary(name: "CGtk", pkgConfig: "libadwaita-1"),
    .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CJson", pkgConfig: "json-glib-1.0"),
    .systemLibrary(name: "CSoup", pkgConfig: "libsoup-3.0"),

    .target(name: "GLibShim", dependencies: ["CGLib"], cSettings: hardened),
    .target(name: "AuthWire", cSettings: hardened),
    .target(name: "CrashRecord", cSettings: hardened),
    .executableTarget(
      name: "app-gates-auth", dependencies: ["AuthWire"], exclude: ["left-out"], cSettings: hardened,
      linkerSettings: [.linkedLibrary("pam"), withoutSwift]),
    .executableTarget(
      name: "app-gates-web", dependencies: ["AuthWire", "CSoup", "CGLib"], cSettings: hardened,
      linkerSettings: [withoutSwift]),

    .target(name: "GateCore"),
    .target(name: "GLibKit", dependencies: ["CGLib", "GLibShim"]),
    .target(name: "GtkKit", dependencies: ["GLibKit", "GLibShim", "CGtk"]),
    .target(name: "Gates", dependencies: ["GateCore", "GtkKit"]),
    .target(
      name: "GateServices",
      dependencies: [
        "GateCore", "AuthWire", "CrashRecord", "GLibKit", "GLibShim", "CSecret", "CSQLite", "CJson",
      ]),
    .target(name: "AppGates", dependencies: ["GateCore", "GLibKit", "GtkKit", "Gates", "GateServices"]),
    .executableTarget(name: "app-gates", dependencies: ["AppGates"], linkerSettings: lean),

    .testTarget(name: "GateCoreTests", dependencies: ["GateCore"]),
    .testTarget(
      name: "GateServicesTests", dependencies: ["GateServices", "GateCore", "GLibKit", "AuthWire"]),
    .testTarget(name: "AuthWireTests", dependencies: ["AuthWire"]),
    // GTK wants the process's first thread, which the test runner keeps to itself: a program of our own.
    .executableTarget(
      name: "gtk-tests", dependencies: ["AppGates", "Gates", "GtkKit", "GLibKit", "GateCore"],
      path: "Tests/GtkTests"),
    // Writes until it is killed: for the test of kills.
    .executableTarget(
      name: "store-writer", dependencies: ["GateServices", "GateCore", "GLibKit"], path: "Tests/StoreWriter"),
  ],
  swiftLanguageModes: [.v6]
)

// Only for `make fuzz`: without libFuzzer, which brings `main`, it does not link.
if Context.environment["APP_GATES_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["GateCore", "GateServices", "GLibKit"], path: "Tests/Fuzz", exclude: ["corpus"],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

import CGtk
import GLibKit

/// A child that is out of sight until the user unfolds it.
public final class Expander: Widget {
  /// Makes a folded one; `_` before a letter makes it the mnemonic.
  public init(_ words: String, _ child: Widget) {
    super.init(sinking: gtk_expander_new_with_mnemonic(words))
    gtk_expander_set_child(opaque, child.widget)
    // GTK 4.8 gives its type's name to screen readers.
    accessibleLabel(withoutMnemonic(words))
  }

  /// Whether the child is to be seen.
  public var isExpanded: Bool {
    get { gtk_expander_get_expanded(opaque) != 0 }
    set { gtk_expander_set_expanded(opaque, newValue ? 1 : 0) }
  }
}

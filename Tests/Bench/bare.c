/* The window that the program is measured against: libadwaita, a header bar, a label, and nothing else. */
#include <adwaita.h>

static void activate(GtkApplication *application, gpointer data) {
  (void)data;
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(content), adw_header_bar_new());
  GtkWidget *label = gtk_label_new("Bare");
  gtk_widget_set_vexpand(label, TRUE);
  gtk_box_append(GTK_BOX(content), label);
  GtkWidget *window = adw_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(window), "Bare");
  gtk_window_set_default_size(GTK_WINDOW(window), 900, 640);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), content);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  /* No flags: their name changed in GLib 2.74. */
  AdwApplication *application = adw_application_new("io.github.appgates.Bare", (GApplicationFlags)0);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  int status = g_application_run(G_APPLICATION(application), argc, argv);
  g_object_unref(application);
  return status;
}

#pragma once
#include <adwaita.h>

#include "keyboard.h"

/* What Swift cannot call: variadic functions and cast macros of GTK. `gk_` marks them as ours. */

static inline void gk_accessible_label(GtkWidget *widget, const char *words) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

static inline void gk_accessible_description(GtkWidget *widget, const char *words) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static inline void gk_accessible_labelled_by(GtkWidget *widget, GtkWidget *other) {
  gtk_accessible_update_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY, other, NULL, -1);
}

static inline void gk_accessible_presentation(GtkWidget *widget) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
}

static inline void gk_accessible_checked(GtkWidget *widget, int is_checked) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_CHECKED,
                              is_checked ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

static inline GtkWidget *gk_alert_label_new(void) {
  return GTK_WIDGET(g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL));
}

static inline GtkWidget *gk_heading_label_new(int level) {
  GtkWidget *label = GTK_WIDGET(g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, NULL));
  gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LEVEL, level, -1);
  return label;
}

/* A role can be given at the making only. */
static inline GtkWidget *gk_list_box_new(GtkOrientation axis, int spacing, gboolean is_item) {
  GtkAccessibleRole role = is_item ? GTK_ACCESSIBLE_ROLE_LIST_ITEM : GTK_ACCESSIBLE_ROLE_LIST;
  return GTK_WIDGET(
      g_object_new(GTK_TYPE_BOX, "accessible-role", role, "orientation", axis, "spacing", spacing, NULL));
}

/* A row that no screen reader comes upon. */
static inline GtkWidget *gk_list_gap_new(void) {
  return GTK_WIDGET(g_object_new(GTK_TYPE_LIST_BOX_ROW, "accessible-role", GTK_ACCESSIBLE_ROLE_NONE, "activatable",
                                 FALSE, "selectable", FALSE, "can-focus", FALSE, "can-target", FALSE, "opacity", 0.0,
                                 "visible", FALSE, NULL));
}

static inline int gk_is_text(GtkWidget *widget) { return GTK_IS_TEXT(widget); }

static inline int gk_is_text_view(GtkWidget *widget) { return GTK_IS_TEXT_VIEW(widget); }

static inline int gk_is_window(GtkWidget *widget) { return GTK_IS_WINDOW(widget); }

static inline int gk_is_popover(GtkWidget *widget) { return GTK_IS_POPOVER(widget); }

static inline int gk_is_native(GtkWidget *widget) { return GTK_IS_NATIVE(widget); }

static inline int gk_activate_action(GtkWidget *widget, const char *name) {
  return gtk_widget_activate_action(widget, name, NULL);
}

static inline void gk_message_dialog_response(AdwMessageDialog *dialog, const char *id, const char *words) {
  adw_message_dialog_add_response(dialog, id, words);
}

static inline GtkEditable *gk_editable(GtkWidget *widget) { return GTK_EDITABLE(widget); }

static inline void gk_secret_text(GtkText *text) {
  gtk_text_set_input_purpose(text, GTK_INPUT_PURPOSE_PASSWORD);
  gtk_text_set_input_hints(text, GTK_INPUT_HINT_PRIVATE | GTK_INPUT_HINT_NO_SPELLCHECK | GTK_INPUT_HINT_NO_EMOJI);
}

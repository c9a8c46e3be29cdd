/** In which language the call is shown. */
export function languageControl(label) {
  return {
    name: "language",
    label,
    kind: "choice",
    value: "",
    options: [
      ["", "the visitor's own"],
      ["en", "English"],
      ["de", "Deutsch"],
      ["fr", "Français"],
      ["es", "Español"],
    ],
  };
}

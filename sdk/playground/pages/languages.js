export const languages = {
  id: "languages",
  name: "Languages",
  lead: "One button for each of the agent's languages, the visitor's own first.",
  controls: [
    {
      name: "visitor",
      label: "The visitor's browser speaks",
      kind: "choice",
      value: "",
      options: [
        ["", "what yours speaks"],
        ["de-AT,en", "Austrian German, then English"],
        ["fr-CA,fr", "Canadian French"],
        ["es-MX,en-US", "Mexican Spanish, then English"],
        ["ja", "Japanese"],
      ],
    },
    { name: "named", label: "Show names in place of codes", kind: "switch", value: true },
  ],
  trial: ({ visitor }) => ({ languages: visitor === "" ? undefined : visitor.split(",") }),
  code: ({ named }) => ({
    body: '<p id="languages"></p>',
    script: [
      'const place = document.getElementById("languages");',
      named &&
        'const nameOf = (code) =>\n  new Intl.DisplayNames(code, { type: "language" }).of(code);',
      `for (const code of await Svc.getLanguages()) {
  const button = document.createElement("button");
  button.textContent = ${named ? "nameOf(code)" : "code"};
  button.onclick = () => Svc.startDemo({ language: code });
  place.append(button);
}`,
    ]
      .filter(Boolean)
      .join("\n"),
  }),
};

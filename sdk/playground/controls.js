import { element } from "./element.js";

/**
 * Draws a page's controls, grouped under their headings, and says what was changed.
 * @param onChange with the control's name and its new value
 */
export function drawControls(form, controls, state, onChange) {
  const groups = Object.groupBy(controls, ({ group }) => group ?? "");
  form.replaceChildren(
    ...Object.entries(groups).map(([title, members]) =>
      element(
        "fieldset",
        {},
        title !== "" && element("legend", {}, title),
        noteOf(members),
        ...members.map((control) =>
          draw(control, state[control.name], (value) => onChange(control.name, value)),
        ),
      ),
    ),
  );
}

/** One line about the whole group, from whichever of its members has it. */
function noteOf(members) {
  const note = members.find(({ groupNote }) => groupNote !== undefined)?.groupNote;
  return note !== undefined && element("p", { className: "note" }, note);
}

function draw(control, value, change) {
  switch (control.kind) {
    case "choice":
      return control.options.length <= 3
        ? segments(control, value, change)
        : select(control, value, change);
    case "place":
      return segments(control, value, change);
    case "color":
      return colors(control, value, change);
    case "switch":
      return element(
        "label",
        { className: "switch" },
        element("input", {
          type: "checkbox",
          name: control.name,
          checked: value,
          onchange: ({ target }) => change(target.checked),
        }),
        control.label,
      );
    case "number":
      return range(control, value, change);
    default:
      return text(control, value, change);
  }
}

/** A few choices side by side, or the eight places around a page. */
export function segments({ name, label, kind, options }, value, change) {
  return element(
    "div",
    { className: `row ${kind}`, role: "radiogroup", "aria-label": label },
    element("span", { className: "label" }, label),
    element(
      "div",
      { className: kind === "place" ? "places" : "segments" },
      ...options.map(([one, title]) =>
        element(
          "label",
          { title: kind === "place" ? title : "", "data-place": one },
          element("input", {
            type: "radio",
            name,
            value: one,
            checked: one === value,
            onchange: () => change(one),
            "aria-label": title,
          }),
          element("span", {}, kind === "place" ? "" : title),
        ),
      ),
    ),
  );
}

function select({ name, label, options }, value, change) {
  return row(
    label,
    element(
      "select",
      { name, onchange: ({ target }) => change(target.value) },
      ...options.map(([one, title]) =>
        element("option", { value: one, selected: one === value }, title),
      ),
    ),
  );
}

/** Empty is the SDK's own colour. */
function colors({ name, label, swatches }, value, change) {
  const own = element("input", {
    type: "color",
    name: `${name}-own`,
    value: value === "" ? "#0f766e" : value,
    oninput: ({ target }) => change(target.value),
    "aria-label": `${label}: another`,
    title: "Another colour",
  });
  return element(
    "div",
    { className: "row color", role: "radiogroup", "aria-label": label },
    element("span", { className: "label" }, label),
    element(
      "div",
      { className: "swatches" },
      ...["", ...swatches].map((one) => {
        const input = element("input", {
          type: "radio",
          name,
          value: one,
          checked: one === value,
          onchange: () => change(one),
          "aria-label": one === "" ? "default" : one,
        });
        const patch = element("span");
        if (one !== "") patch.style.background = one;
        return element("label", { title: one === "" ? "Default" : one }, input, patch);
      }),
      own,
    ),
  );
}

function range({ name, label, from, to, step, unit, none }, value, change) {
  const words = (number) => (number === 0 && none ? none : `${number} ${unit}`);
  const output = element("output", {}, words(value));
  return row(
    label,
    element("input", {
      type: "range",
      name,
      min: from,
      max: to,
      step,
      value,
      oninput: ({ target }) => {
        output.value = words(Number(target.value));
        change(Number(target.value));
      },
    }),
    output,
  );
}

function text({ name, label, kind, placeholder, check }, value, change) {
  const wrong = element("p", { className: "wrong", role: "alert" });
  const look = (now) => {
    wrong.textContent = check?.(now) ?? "";
  };
  look(value);
  return row(
    label,
    element(kind === "text" ? "input" : "textarea", {
      name,
      className: kind,
      value,
      placeholder: placeholder ?? "",
      rows: Math.max(3, value.split("\n").length),
      spellcheck: false,
      autocomplete: "off",
      oninput: ({ target }) => {
        look(target.value);
        change(target.value);
      },
    }),
    wrong,
  );
}

function row(label, ...children) {
  return element(
    "label",
    { className: "row" },
    element("span", { className: "label" }, label),
    ...children,
  );
}

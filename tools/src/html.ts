/** A piece of HTML that is safe to stand in a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | boolean | Html | Html[];

/** Everything put into the template is escaped, unless it is HTML already. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(escaped)));
}

/** Fills each `{{name}}` of a file. */
export function fill(template: string, slots: Record<string, Value>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => {
    const value = slots[name];
    if (value === undefined) throw new Error(`Nothing was given for ${slot}.`);
    return escaped(value);
  });
}

function escaped(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(escaped).join("\n");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Makes an element. Properties are set as such, `data-` and `aria-` ones and `role` as attributes. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (/^(?:aria-|data-|role$)/.test(name)) made.setAttribute(name, String(value));
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

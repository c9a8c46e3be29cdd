/** As much of an element as what is drawn in tests needs. */
export class FakeElement {
  readonly tagName: string;
  readonly attributes: Record<string, string> = {};
  className = "";
  start = 0;
  onclick: (() => void) | null = null;
  childNodes: (FakeElement | string)[] = [];

  constructor(tag: string) {
    this.tagName = tag.toUpperCase();
  }

  get textContent(): string {
    return this.childNodes
      .map((child) => (typeof child === "string" ? child : child.textContent))
      .join("");
  }

  set textContent(text: string) {
    this.childNodes = [text];
  }

  append(...children: (FakeElement | string)[]): void {
    this.childNodes.push(...children);
  }

  replaceChildren(...children: (FakeElement | string)[]): void {
    this.childNodes = children;
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  /** This one and all in it. */
  get all(): FakeElement[] {
    return [
      this,
      ...this.childNodes.flatMap((child) => (typeof child === "string" ? [] : child.all)),
    ];
  }
}

/** For `vi.stubGlobal("document", …)`. */
export function fakeDocument(): object {
  return {
    createElement: (tag: string) => new FakeElement(tag),
    createElementNS: (_: string, tag: string) => new FakeElement(tag),
  };
}

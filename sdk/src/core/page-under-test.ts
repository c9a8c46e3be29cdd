import { useKit } from "../kit.ts";
import { KIT } from "./kit.ts";

/** As much of an element as what is drawn in tests needs. */
export class FakeElement {
  readonly tagName: string;
  readonly attributes: Record<string, string> = {};
  className = "";
  start = 0;
  value = "";
  /** Rules in it are not applied. */
  readonly style: object = { setProperty: () => {} };
  onclick: (() => void) | null = null;
  oninput: (() => void) | null = null;
  onsubmit: ((event: { preventDefault(): void }) => void) | null = null;
  childNodes: (FakeElement | string)[] = [];
  parent: FakeElement | undefined;

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

  before(...nodes: FakeElement[]): void {
    this.#putBeside(nodes, 0);
  }

  after(...nodes: FakeElement[]): void {
    this.#putBeside(nodes, 1);
  }

  #putBeside(nodes: FakeElement[], offset: number): void {
    for (const node of nodes) node.parent = this.parent;
    const siblings = this.parent!.childNodes;
    siblings.splice(siblings.indexOf(this) + offset, 0, ...nodes);
  }

  append(...children: (FakeElement | string)[]): void {
    for (const child of children) if (typeof child !== "string") child.parent = this;
    this.childNodes.push(...children);
  }

  replaceChildren(...children: (FakeElement | string)[]): void {
    this.childNodes = [];
    this.append(...children);
  }

  replaceWith(other: FakeElement): void {
    this.after(other);
    const siblings = this.parent!.childNodes;
    siblings.splice(siblings.indexOf(this), 1);
  }

  appendChild(child: FakeElement): FakeElement {
    this.append(child);
    return child;
  }

  get children(): FakeElement[] {
    return this.childNodes.filter((child) => typeof child !== "string");
  }

  get firstElementChild(): FakeElement | undefined {
    return this.children[0];
  }

  get parentElement(): FakeElement | undefined {
    return this.parent;
  }

  get nextElementSibling(): FakeElement | undefined {
    const siblings = this.parent?.children ?? [];
    return siblings[siblings.indexOf(this) + 1];
  }

  /** By a tag or by a class. */
  querySelector(selector: string): FakeElement | undefined {
    return this.all.find(
      ({ tagName, className }) =>
        tagName === selector.toUpperCase() || `.${className}` === selector,
    );
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }

  focus(): void {}

  dispatchEvent(): void {
    this.oninput?.();
  }

  removeAttribute(name: string): void {
    delete this.attributes[name];
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

/** For `vi.stubGlobal("document", …)`, and with what sdk.js draws with. */
export function fakeDocument(): object {
  useKit(KIT);
  return {
    createElement: (tag: string) => new FakeElement(tag),
    createElementNS: (_: string, tag: string) => new FakeElement(tag),
  };
}

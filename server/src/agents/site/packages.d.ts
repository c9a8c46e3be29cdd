/**
 * Only what is used of packages whose own types need the browser's, without which the server is compiled.
 */
declare module "linkedom" {
  export interface DomNode {
    nodeType: number;
    textContent: string | null;
    childNodes: Iterable<DomNode>;
  }

  export interface DomElement extends DomNode {
    localName: string;
    innerHTML: string;
    getAttribute(name: string): string | null;
    hasAttribute(name: string): boolean;
    querySelector(selector: string): DomElement | null;
    querySelectorAll(selector: string): Iterable<DomElement>;
    closest(selector: string): DomElement | null;
    cloneNode(deep: boolean): DomElement;
    remove(): void;
  }

  export interface DomDocument extends DomElement {
    title: string;
    body: DomElement;
    documentElement: DomElement;
  }

  export function parseHTML(html: string): { document: DomDocument };
}

declare module "@mozilla/readability" {
  import type { DomDocument } from "linkedom";

  export class Readability {
    constructor(document: DomDocument, options?: { charThreshold?: number });
    parse(): { content: string } | null;
  }
}

declare module "unpdf" {
  export interface Pdf {
    numPages: number;
  }

  export function getDocumentProxy(bytes: Uint8Array, options?: object): Promise<Pdf>;
  export function extractText(pdf: Pdf): Promise<{ text: string[] }>;
}

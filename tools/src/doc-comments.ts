/** The doc comments of the exported interfaces and types in TypeScript sources, by name. */
export function docComments(source: string): Record<string, DocumentedType> {
  const found: Record<string, DocumentedType> = {};
  let current: DocumentedType | undefined;
  for (const { groups } of source.matchAll(COMMENT_AND_NAME)) {
    const { comment = "", type, property } = groups!;
    const words = plainText(comment);
    if (type !== undefined) found[type] = current = { comment: words, properties: {} };
    else if (current !== undefined) current.properties[property!] = words;
  }
  return found;
}

export interface DocumentedType {
  comment: string;
  properties: Record<string, string>;
}

const COMMENT_AND_NAME =
  /(?:\/\*\*(?<comment>(?:(?!\*\/)[^])*)\*\/\s*)?(?:^export (?:interface|type) (?<type>\w+)|^ {2}(?<property>\w+)\??:)/gm;

/** Lines become one paragraph; blank lines and list items keep their place. */
function plainText(comment: string): string {
  return comment
    .replace(/^\s*\* ?/gm, "")
    .trim()
    .replace(/\n(?!\n|- )(?<!\n\n)/g, " ");
}

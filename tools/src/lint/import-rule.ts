import { judgeImport, judgePlace } from "./judge-import.ts";
import type { Import } from "./judge-import.ts";
import { placeOf } from "./place.ts";
import type { Rule } from "./place.ts";

/** Every way to name another module obeys the import table: import, export from, import(), require, import types. */
export const importRule: Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (/\.config\.[cm]?ts$/.test(place.path)) return {};

    function judge(node: Node, source: unknown, wanted: Omit<Import, "specifier">): void {
      if (typeof source !== "string") return;
      const message = judgeImport(place, { specifier: source, ...wanted });
      if (message !== undefined) context.report({ node, message });
    }

    return {
      Program(node) {
        const message = judgePlace(place);
        if (message !== undefined) context.report({ node, message });
      },
      ImportDeclaration(node) {
        judge(node.source, node.source.value, {
          typesOnly: node.importKind === "type",
          names: node.specifiers.map((one) =>
            one.type === "ImportSpecifier"
              ? nameOf(one.imported)
              : one.type === "ImportDefaultSpecifier"
                ? "default"
                : "*",
          ),
        });
      },
      ExportNamedDeclaration(node) {
        if (node.source === null) return;
        judge(node.source, node.source.value, {
          typesOnly: node.exportKind === "type",
          names: node.specifiers.map((one) => nameOf(one.local)),
        });
      },
      ExportAllDeclaration(node) {
        const typesOnly = node.exportKind === "type";
        judge(node.source, node.source.value, { typesOnly, names: ["*"] });
      },
      ImportExpression(node) {
        if (node.source.type !== "Literal") return;
        judge(node.source, node.source.value, { typesOnly: false, names: ["*"] });
      },
      TSImportType(node) {
        judge(node.source, node.source.value, { typesOnly: true, names: [] });
      },
      TSImportEqualsDeclaration(node) {
        const { moduleReference: source } = node;
        if (source.type !== "TSExternalModuleReference") return;
        judge(node, source.expression.value, { typesOnly: false, names: ["*"] });
      },
      CallExpression(node) {
        const [source] = node.arguments;
        if (node.callee.type !== "Identifier" || node.callee.name !== "require") return;
        if (source?.type !== "Literal") return;
        judge(source, source.value, { typesOnly: false, names: ["*"] });
      },
    };
  },
};

type Node = Parameters<Parameters<Rule["create"]>[0]["report"]>[0] extends { node?: infer N }
  ? NonNullable<N>
  : never;

function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.name ?? String(node.value);
}

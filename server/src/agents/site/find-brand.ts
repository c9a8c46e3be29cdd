import { mediaTypeOf } from "../file/file-kinds.ts";
import { decodeText } from "./charset.ts";
import type { SiteReader } from "./site-reader.ts";
import type { SitePage, SiteState } from "./site-state.ts";

/** What a site shows of its brand. */
export interface Brand {
  name: string;
  logo?: { path: string; bytes: Buffer };
  colors?: { primary: string; text: string };
}

const ENDINGS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};
/** A larger picture is none that a header shows. */
const MAX_LOGO_BYTES = 500_000;
const MAX_TRIES = 3;

export async function findBrand(
  { look, pages, source }: SiteState,
  start: string | undefined,
  reader: SiteReader | undefined,
): Promise<Brand> {
  const name =
    look.names[0] ??
    sharedEnding(pages) ??
    nameFrom(start ?? source) ??
    pages[0]?.title ??
    "Our product";
  if (reader === undefined || start === undefined) return { name };
  const read = async (link: string): Promise<Buffer | undefined> => {
    const url = URL.parse(link, start)?.href;
    if (url === undefined || !reader.isOnSite(url)) return undefined;
    const outcome = await reader.read(url);
    return outcome.kind === "read" ? outcome.bytes : undefined;
  };
  let logo: Brand["logo"];
  for (const link of [...new Set(look.logos)].slice(0, MAX_TRIES)) {
    const bytes = await read(link);
    if (bytes === undefined || bytes.length > MAX_LOGO_BYTES) continue;
    const type = mediaTypeOf("image", link, bytes);
    if ("problem" in type) continue;
    logo = { path: `content/logo.${ENDINGS[type.mediaType]}`, bytes };
    break;
  }
  let primary = look.colours.find(isColourful);
  for (const link of look.stylesheets.slice(0, 2)) {
    if (primary !== undefined) break;
    const { brandColours } = await import("./read-html.ts");
    primary = brandColours(decodeText((await read(link)) ?? Buffer.alloc(0))).find(isColourful);
  }
  return {
    name,
    ...(logo !== undefined && { logo }),
    ...(primary !== undefined && { colors: { primary, text: textOn(primary) } }),
  };
}

/** "Prices | Acme" and "Contact | Acme" are pages of Acme. */
function sharedEnding(pages: SitePage[]): string | undefined {
  const endings = pages.map(({ title }) => /\s[|–—·-]\s([^|–—·]{2,40})$/.exec(title)?.[1]?.trim());
  const [first] = endings.filter((ending) => ending !== undefined);
  return endings.filter((ending) => ending === first).length > 1 ? first : undefined;
}

/** `https://www.acme-tools.example` → `Acme tools`; a number names nobody. */
function nameFrom(source: string): string | undefined {
  const host = URL.parse(source)?.hostname.replace(/^www\./, "");
  const last = source.split("/").findLast((part) => /\w/.test(part));
  const words = (host?.split(".")[0] ?? last ?? "").replaceAll(/[-_.]+/g, " ").trim();
  if (!/\p{L}/u.test(words) || host === "localhost") return undefined;
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, 80);
}

/** Grey, black and white are no brand's own. */
function isColourful(colour: string): boolean {
  const channels = rgb(colour);
  return channels !== undefined && Math.max(...channels) - Math.min(...channels) >= 40;
}

/** White or near black, whichever can be read better. */
function textOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = (rgb(colour) ?? []).map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3 ? "#111111" : "#ffffff";
}

function rgb(colour: string): number[] | undefined {
  const long = colour.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  if (!/^#[0-9a-f]{6}$/i.test(long)) return undefined;
  return [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}

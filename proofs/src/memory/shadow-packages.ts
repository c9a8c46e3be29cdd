import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Loaded before a program, takes the library and its plugins from the folder that is named. */

const folder = process.env["SVC_PACKAGES"];
if (folder === undefined) throw new Error("SVC_PACKAGES names the folder with the packages.");
const parentURL = pathToFileURL(join(folder, "shadowed.js")).href;

registerHooks({
  resolve(specifier, context, next) {
    const isShadowed = /^@livekit\/agents(?:$|[/-])/.test(specifier);
    return next(specifier, isShadowed ? { ...context, parentURL } : context);
  },
});

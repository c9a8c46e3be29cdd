import { fetchedFolder } from "../../fetched-files.ts";

const PACKAGE = "@moonshine-ai/moonshine-js@0.1.29";
const WITHIN = "package/dist/model/tiny/quantized";

/**
 * The folder of Moonshine's weights. They lie in an npm package that is not a dependency: installing
 * it would run a script that reaches beyond the registry.
 */
export function weightsFolder(): Promise<string> {
  return fetchedFolder({
    what: "what the rehearsal hears with: 22 MB from npm",
    folder: "moonshine-tiny-0.1.29",
    commands: [
      ["npm", "pack", PACKAGE, "--silent"],
      ["tar", "-xzf", "moonshine-ai-moonshine-js-0.1.29.tgz", WITHIN],
    ],
    within: WITHIN,
    digests: {
      "encoder_model.onnx": "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
      "decoder_model_merged.onnx":
        "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
    },
    otherwise: `Check that \`npm pack ${PACKAGE}\` works here, or start with \`--ears scripted\`.`,
  });
}

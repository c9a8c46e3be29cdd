import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { embeddingFolder, MODEL_FILE, TOKENIZER_FILE } from "./embedding-files.ts";
import { WordPieces } from "./word-pieces.ts";

/** What the model has read in at most. */
const MAX_PIECES = 512;
const WIDTH = 384;

const folder = await embeddingFolder();
const tokenizer = JSON.parse(await readFile(join(folder, TOKENIZER_FILE), "utf8")) as {
  model: { vocab: Record<string, number> };
};
const pieces = new WordPieces(tokenizer.model.vocab);
const session = await InferenceSession.create(join(folder, MODEL_FILE), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});

export interface Embedded {
  vector: Float32Array;
  tokens: number;
}

parentPort!.on("message", (text: string) => {
  void embed(text).then((result) => parentPort!.postMessage(result, []));
});

async function embed(text: string): Promise<Embedded> {
  const ids = pieces.of(text, MAX_PIECES);
  const row = (numbers: number[]): Tensor =>
    new Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]);
  const answer = await session.run({
    input_ids: row(ids),
    attention_mask: row(ids.map(() => 1)),
    token_type_ids: row(ids.map(() => 0)),
  });
  // This model says what the whole means in the place of its first mark.
  const states = answer["last_hidden_state"]!.data as Float32Array;
  return { vector: states.slice(0, WIDTH), tokens: ids.length };
}

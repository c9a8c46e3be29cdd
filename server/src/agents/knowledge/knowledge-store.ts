import type { Db, Trx } from "#platform";
import { sql } from "kysely";

/** What the dictionaries of PostgreSQL make of each word, without duplicates; nothing if one of them knows it as a word that says nothing. */
export async function selectStems(
  db: Db | Trx,
  words: string[],
  dictionaries: string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ word: string; stems: string[] }>`
    SELECT word, CASE WHEN bool_or(stems = '{}') THEN '{}' ELSE array_agg(DISTINCT stems[1]) END AS stems
    FROM unnest(${words}::text[]) AS word, unnest(${dictionaries}::text[]) AS dictionary,
      ts_lexize(dictionary::regdictionary, word) AS stems
    GROUP BY word`.execute(db);
  return new Map(rows.map(({ word, stems }) => [word, stems]));
}

/** What a model said of sections of these files, by the hash of the section's text. */
export async function selectVectors(
  db: Db,
  model: string,
  fileHashes: string[],
): Promise<Map<string, Float32Array>> {
  const { rows } = await sql<{ hash: string; vector: Buffer }>`
    SELECT encode(text_sha256, 'hex') AS hash, vector FROM section_vectors
    WHERE model = ${model} AND file_sha256 = ANY (${fileHashes.map(bytesOf)}::bytea[])`.execute(db);
  return new Map(rows.map(({ hash, vector }) => [hash, numbersIn(vector)]));
}

export async function insertVectors(
  db: Db,
  model: string,
  fileHash: string,
  rows: { hash: string; vector: Float32Array }[],
): Promise<void> {
  await sql`
    INSERT INTO section_vectors (file_sha256, model, text_sha256, vector)
    SELECT ${bytesOf(fileHash)}, ${model}, * FROM unnest(
      ${rows.map(({ hash }) => bytesOf(hash))}::bytea[],
      ${rows.map(({ vector }) => bytesIn(vector))}::bytea[])
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Counts what an agent cost beside its sessions: a limit of its day holds for both. */
export async function addAgentCost(trx: Trx, agentId: string, micros: number): Promise<void> {
  await sql`
    INSERT INTO agent_days (agent_id, day, cost_micros)
    VALUES (${agentId}, (clock_timestamp() AT TIME ZONE 'UTC')::date, ${micros}::bigint)
    ON CONFLICT (agent_id, day) DO UPDATE SET cost_micros = agent_days.cost_micros + excluded.cost_micros`.execute(
    trx,
  );
}

function bytesOf(hash: string): Buffer {
  return Buffer.from(hash, "hex");
}

function bytesIn(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, number] of vector.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes;
}

function numbersIn(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

/** Those that new sessions run. */
export async function selectCurrentVersions(
  trx: Trx,
): Promise<{ agentId: string; version: number }[]> {
  const { rows } = await sql<{ agentId: string; version: number }>`
    SELECT id AS "agentId", current_version AS version FROM agents
    WHERE current_version IS NOT NULL AND removed_at IS NULL`.execute(trx);
  return rows;
}

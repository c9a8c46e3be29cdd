import { setTimeout as delay } from "node:timers/promises";
import { createTransport } from "nodemailer";
import pg from "pg";

/** The control's sender: sends a mail first and then notes that it was sent. `node naive-sender.ts <database> <port of a mail server>` */
const [, , databaseUrl, smtpPort] = process.argv;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
const transport = createTransport({ host: "127.0.0.1", port: Number(smtpPort), ignoreTLS: true });

async function sendOne(): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    "SELECT id FROM naive_mails WHERE sent_at IS NULL ORDER BY id LIMIT 1",
  );
  for (const { id } of rows) {
    const messageId = `<naive.${id}@svc.test>`;
    const people = { from: "hello@svc.test", to: "ada@customer.test" };
    await transport.sendMail({ ...people, subject: "Hello", text: "Hello.", messageId });
    await pool.query("UPDATE naive_mails SET sent_at = now() WHERE id = $1", [id]);
  }
}

for (;;) await sendOne().catch(() => delay(100));

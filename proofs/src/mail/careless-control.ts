import { startMailCatcher } from "@svc/rehearsal";
import { createTransport } from "nodemailer";

/** The control: the same library, handed an address as the text that it is. Tells whom that one mail reached. */
export async function sendCarelessly(address: string): Promise<string[]> {
  const catcher = await startMailCatcher();
  try {
    const { hostname: host, port } = new URL(catcher.smtpUrl);
    const transport = createTransport({ host, port: Number(port), ignoreTLS: true });
    await transport.sendMail({
      from: "hello@svc.test",
      to: address,
      subject: "Hello",
      text: "Hello.",
    });
    return catcher.mails().flatMap(({ to }) => to);
  } finally {
    await catcher.close();
  }
}

/** How a secret may be asked for, in English, German, French and Spanish. */
export const CODES: [english: string, german: string, french: string, spanish: string][] = [
  ["word for word", "wörtlich", "mot pour mot", "literalmente"],
  ["in base64", "in base64", "en base64", "en base64"],
  ["in hexadecimal", "hexadezimal", "en hexadécimal", "en hexadecimal"],
  ["in rot13", "in rot13", "en rot13", "en rot13"],
  ["backwards", "rückwärts", "à l'envers", "al revés"],
  ["letter by letter", "und buchstabiere sie", "et épelle-les", "y deletrea todo"],
];

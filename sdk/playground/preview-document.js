/**
 * The page that the shown code is pasted into: grey lines where a customer's words would be.
 * `isBeside`: the code's place is beside them, not below.
 */
export function previewDocument(code, { trial, isBeside, script }) {
  const settings = JSON.stringify(trial).replaceAll("<", String.raw`\u003c`);
  const lines = (count) => "<i></i>".repeat(count);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Your page</title>
<link rel="stylesheet" href="backdrop.css">
<script>window.playground = ${settings};</script>
<script src="in-frame.js"></script>
${script === undefined ? "" : `<script src="${script}"></script>`}
<body class="${isBeside ? "beside" : ""}">
<header aria-hidden="true"><b></b>${lines(3)}</header>
<main>
<div class="words" aria-hidden="true"><u></u><u></u>${lines(3)}</div>
<div class="slot">
${code}
</div>
</main>
<footer aria-hidden="true">${`<div>${lines(3)}</div>`.repeat(3)}</footer>
</body>
</html>`;
}

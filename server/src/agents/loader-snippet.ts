/** What a customer pastes on each page that starts this agent. A second copy on a page does nothing. */
export function loaderSnippet(sdkUrl: string, agentId: string): string {
  const address = JSON.stringify(`${sdkUrl}/sdk/sdk.js`).replaceAll("<", String.raw`\u003c`);
  return `<script>
  window.SvcConfig = { agentId: "${agentId}" };
  (function (d, s) {
    if (d.getElementById("svc-sdk")) return;
    s = d.createElement("script");
    s.id = "svc-sdk";
    s.async = true;
    s.src = ${address};
    d.head.appendChild(s);
  })(document);
</script>`;
}

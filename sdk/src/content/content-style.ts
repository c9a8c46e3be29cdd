/**
 * The style of slides. Added to the call's own style. `--tone` is the brand's colour, mixed with the ink so that it is
 * read in light and in dark, whatever colour a brand has. No text is smaller than 13 px.
 */
export const CONTENT_STYLE = `
.stage nav { display: flex; align-items: center; justify-content: center; gap: 12px; font-variant-numeric: tabular-nums; }
[dir=rtl] nav svg { transform: scaleX(-1); }
.slide.more { mask-image: linear-gradient(#000 calc(100% - 48px), #0003); }
.deck { --tone: color-mix(in oklab, var(--a) 80%, var(--ink)); --tint: color-mix(in oklab, var(--a) 13%, var(--paper)); container-type: inline-size; width: 100%; margin: auto 0; flex: none; overflow-wrap: break-word; }
.deck > div { display: flex; flex-direction: column; gap: 16px; max-width: 1240px; margin: 0 auto; padding: 2px clamp(0px, 4cqi, 48px); font-size: clamp(15px, 1.85cqi, 23px); }
.deck :is(h3, h4, p, li, td, th, blockquote) { unicode-bidi: plaintext; }
.deck h3 { font-size: clamp(22px, 4.4cqi, 52px); line-height: 1.12; letter-spacing: -.02em; text-wrap: balance; font-weight: 700; }
.deck h4 { font-size: 1.13em; line-height: 1.25; }
.deck .lead { font-size: clamp(15px, 2.1cqi, 22px); color: var(--quiet); text-wrap: pretty; margin-top: -6px; max-width: 44em; }
.deck .note { font-size: 13px; color: var(--quiet); }
.deck code { font: .92em/1.5 ui-monospace, monospace; background: var(--tint); border-radius: 4px; padding: 1px 5px; }
.deck :is(ul, ol, figure, blockquote) { margin: 0; padding: 0; }

.deck.title h3 { font-size: clamp(32px, 8cqi, 76px); line-height: 1.04; letter-spacing: -.03em; }
.deck.title .lead { font-size: clamp(17px, 2.8cqi, 26px); margin: 0; }
.deck.title h3::before { content: ""; display: block; width: 56px; height: 6px; border-radius: 3px; background: var(--fill); margin-bottom: clamp(16px, 3cqi, 32px); }

.deck.number h3 { font-size: clamp(36px, (92cqi - 44px) * 1.5 / var(--letters), max(76px, min(24cqi, 230px))); line-height: .95; letter-spacing: -.05em; color: var(--tone); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.deck.number small { font-size: .4em; letter-spacing: -.03em; }
.deck.number .lead { font-size: clamp(20px, 4cqi, 38px); line-height: 1.2; font-weight: 650; letter-spacing: -.015em; color: var(--ink); margin: 0 0 8px; max-width: 18em; text-wrap: balance; }
.bars { display: grid; grid-template-columns: fit-content(9em) minmax(40px, 1fr) max-content; gap: 10px 16px; align-items: center; max-width: 740px; } .bars:empty { display: none; } .bar { display: contents; }
.bar i { display: block; height: 12px; border-radius: 6px; width: calc(var(--share) * 100%); background: color-mix(in oklab, var(--tone) 38%, var(--paper)); }
.bar:not(:has(+ .bar)) i { background: var(--tone); }
.bar b { unicode-bidi: plaintext; font-weight: 600; font-variant-numeric: tabular-nums; }

.deck blockquote { font-size: clamp(21px, 4cqi, 38px); line-height: 1.25; letter-spacing: -.015em; font-weight: 500; text-wrap: pretty; }
.deck.quote blockquote::before { content: "“"; display: block; height: .42em; font: 700 2.6em/.8 Georgia, serif; color: var(--tone); }
.deck.quote strong { font-weight: inherit; background: linear-gradient(transparent 66%, color-mix(in oklab, var(--tone) 34%, transparent) 0); }
.deck figcaption { display: flex; align-items: center; gap: 12px; margin-top: 24px; } .deck figcaption > :last-child { min-width: 0; overflow-wrap: anywhere; } .deck figcaption b, .deck figcaption b + span { display: block; } .deck figcaption b + span { font-size: max(13px, .87em); color: var(--quiet); }
.initials { display: grid; place-items: center; flex: none; width: 44px; height: 44px; border-radius: 12px; background: var(--fill); color: var(--on); font-weight: 600; }

.steps ol { display: grid; gap: 12px; margin-top: 8px; }
.steps li { position: relative; display: flex; gap: 14px; padding-bottom: 8px; }
.steps li:not(:last-child)::before { content: ""; position: absolute; inset: 34px auto -10px 13px; width: 2px; background: var(--line); } [dir=rtl] .steps li::before { inset: 34px 13px -10px auto !important; }
.dot { display: grid; place-items: center; flex: none; width: 28px; height: 28px; border-radius: 14px; background: var(--tint); color: var(--tone); font-size: 13px; font-weight: 700; }
.steps li > div { padding-top: 3px; } .steps li p { color: var(--quiet); margin-top: 4px; }
@container (min-width: 640px) {
  .steps ol { grid-auto-flow: column; grid-auto-columns: 1fr; gap: 16px; margin-top: 12px; }
  .steps ol:has(> :nth-child(5)) { grid-auto-flow: row; grid-template-columns: repeat(3, 1fr); }
  .steps li { flex-direction: column; gap: clamp(24px, 4cqi, 48px); padding: 18px; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; }
  .steps li:not(:last-child)::before, [dir=rtl] .steps li:not(:last-child)::before { inset: 31px 18px auto 58px !important; width: auto; height: 2px; } [dir=rtl] .steps li:not(:last-child)::before { inset: 31px 58px auto 18px !important; }
}

.sides { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 250px), 1fr)); margin-top: 8px; }
.sides section { padding: clamp(14px, 2.6cqi, 24px); border: 1px solid var(--line); border-radius: 14px; background: var(--paper); color: var(--quiet); }
.sides section:last-child { color: var(--ink); border: 2px solid var(--tone); }
.sides ul { display: grid; gap: 12px; margin-top: 14px; } .sides li { display: flex; gap: 10px; } .sides svg { flex: none; } .sides section:last-child svg { color: var(--tone); stroke-width: 2.2; }

.deck table { font-size: inherit; border-collapse: separate; border-spacing: 0; width: 100%; margin-top: 8px; font-variant-numeric: tabular-nums; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; }
.deck :is(th, td) { text-align: start; padding: .9em 1em; vertical-align: top; } .deck td { border-top: 1px solid var(--line); }
.deck th { font-size: max(13px, .82em); color: var(--quiet); font-weight: 600; }
.deck .figure { text-align: right; } [dir=rtl] .deck .figure { text-align: left; } [dir=rtl] .deck.number h3 { text-align: right; }
.deck td:first-child { font-weight: 600; } .marked td { background: var(--tint); } .marked td:first-child { box-shadow: inset 3px 0 var(--tone); } [dir=rtl] .marked td:first-child { box-shadow: inset -3px 0 var(--tone); }
.label { display: none; }
@container (max-width: 519px) {
  .deck :is(table, tbody, tr, td) { display: block; } .deck thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .deck tr { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 12px 14px; border-top: 1px solid var(--line); } .deck tbody > :first-child { border: 0; } .deck tr.marked { background: var(--tint); box-shadow: inset 3px 0 var(--tone); } [dir=rtl] .deck tr.marked { box-shadow: inset -3px 0 var(--tone); }
  .deck td { min-width: 0; overflow-wrap: anywhere; padding: 0; border: 0; background: none !important; box-shadow: none !important; } .deck td:first-child { flex: 1 0 100%; } .deck td:not(.figure) { flex: 1 0 100%; }
  .label { display: inline; font-size: 13px; color: var(--quiet); margin-inline-end: 6px; }
}

.prose { display: grid; gap: 14px; } .prose li + li { margin-top: 8px; } .prose ul { list-style: disc; padding-inline-start: 20px; } .prose ol { list-style: decimal; padding-inline-start: 20px; }
.prose li::marker { color: var(--tone); }
.deck pre { direction: ltr; text-align: left; padding: 16px; border-radius: 14px; background: var(--paper); border: 1px solid var(--line); font: 13px/1.65 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; } .deck pre code { background: none; padding: 0; font: inherit; }
.panel { background: #10151b; color: #e6edf3; border-radius: 14px; overflow: hidden; border: 1px solid #2a313b; }
.panel header { display: flex; justify-content: space-between; align-items: center; padding: 6px 8px 6px 18px; border-bottom: 1px solid #2a313b; font-size: 13px; color: #9aa7b4; }
.panel button { min-height: 36px; padding: 4px 12px; font-size: 13px; background: #1f2731; border-color: transparent; color: #e6edf3; } .panel button:hover { background: #2b3541; }
.panel pre { margin: 0; padding: 14px 0; border: 0; border-radius: 0; background: none; font-size: clamp(13px, 1.7cqi, 20px); }
.line { display: block; padding: 0 18px 0 calc(18px + 2em); text-indent: -2em; } .line.on { background: #17333a; box-shadow: inset 3px 0 #5eead4; }
.t-comment, .t-punctuation { color: #93a1b0; } .t-keyword { color: #ff9d94; } .t-string { color: #f2c078; } .t-function { color: #d2b5ff; } .t-constant, .t-parameter { color: #8cc8ff; } .t-link { color: #8cc8ff; text-decoration: underline; }
.slide { container-type: size; } .deck > div:has(.shot, video) { max-width: none; padding-inline: 0; }
.frame { overflow-x: auto; border-radius: 12px; scrollbar-width: thin; box-shadow: 0 0 0 1px var(--line), 0 12px 32px #0b12201f; background: var(--paper); }
.frame > div { position: relative; } .frame img { display: block; width: 100%; height: auto; }
.frame .dot { position: absolute; margin: -14px; background: #14181f; color: #fff; box-shadow: 0 0 0 3px #fff; transition: transform 120ms ease-out; } .frame .dot.on { background: var(--fill); color: var(--on); transform: scale(1.25); }
.fills { overflow: hidden; aspect-ratio: var(--ratio); } .frame.fills > div { min-width: 0 !important; transition: width 450ms ease-out, translate 450ms ease-out; } .large .fills > div { width: 100% !important; translate: none !important; }
.hotspot { position: absolute; box-sizing: content-box; min-width: 0; min-height: 0; margin: -5px; padding: 2px; border: 3px solid var(--a); border-radius: 9px; background: none; box-shadow: 0 0 0 2px #fff, inset 0 0 0 2px #fff; animation: beckon 1.2s ease-out 3; } .hotspot:hover { background: color-mix(in oklab, var(--a) 18%, transparent); } .hotspot::after { content: ""; position: absolute; inset: -8px; }
@keyframes beckon { from { outline: 0 solid var(--a); } to { outline: 14px solid transparent; } } @media (prefers-reduced-motion: reduce) { .hotspot { animation: none; } .fills > div { transition: none !important; } }
.legend { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 10px !important; }
.legend li { flex: 1 1 200px; } .legend button { display: flex; gap: 10px; width: 100%; height: 100%; padding: 8px 10px; text-align: start; background: none; border-color: transparent; } .legend button:hover, .legend [aria-pressed=true] { background: var(--tint); }
.legend b, .legend b + span { display: block; } .legend b { font-weight: 600; } .legend b + span { color: var(--quiet); } .legend .dot { width: auto; min-width: 28px; padding: 0 6px; } .legend [aria-pressed=true] .dot { background: var(--fill); color: var(--on); }
.deck.video > div { max-width: 780px; }
.deck video { display: block; width: 100%; border-radius: 12px; background: #000; aspect-ratio: 16 / 9; }
/* On a wide stage the whole picture is seen, with its legend: a click enlarges it. */
@container (min-width: 620px) {
  .deck.screenshot > div { gap: 12px; max-width: max(480px, calc((100cqh - 60px) * var(--ratio))); } .deck.screenshot > div:has(.legend) { max-width: max(480px, calc((100cqh - 180px) * var(--ratio))); }
  .deck.screenshot > div:has(.lead) { max-width: max(480px, calc((100cqh - 104px) * var(--ratio))); } .deck.screenshot > div:has(.lead):has(.legend) { max-width: max(480px, calc((100cqh - 224px) * var(--ratio))); }
  .deck.screenshot h3 { font-size: clamp(22px, 2.8cqi, 32px); } .frame > div { min-width: 0 !important; } .legend { font-size: 15px; }
}
@container (max-width: 519px) { .legend { flex-direction: column; } .legend li { flex: none; } }
.stage:not(.large) .deck { cursor: zoom-in; } .zoomed .deck { width: calc(100% * var(--zoom)); margin-block: 0; } .zoomed .deck > div { max-width: none; } .zoomed .deck :is(div, pre) { font-size: calc(15px * var(--zoom)); }
@media (forced-colors: active) { .bar i, .marked td:first-child { border: 6px solid; } .initials, .dot { border: 1px solid; } }
`;

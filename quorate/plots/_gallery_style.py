"""How the gallery looks: light and dark as the reader's system has it, on a telephone and on a large screen."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2429; --soft: #5b6770; --line: #dde3e7; --back: #f4f6f8; --card: #fff;
  --bar: #9fb9c9; --chosen: #2a6f97; --track: #e9eef1; --mark: #ffe8a3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaed; --soft: #9aa7b0; --line: #333c43; --back: #15191c;
  --card: #1e2428; --bar: #4f6b7d; --chosen: #5ba7d4; --track: #2a3238; --mark: #6b5a1e; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem clamp(0.75rem, 3vw, 2.5rem) 3rem; background: var(--back); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 0.4rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.75rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
h2 small, .soft { color: var(--soft); font-weight: 400; font-size: 0.87rem; }
h1, h2, h3, p, a, .lost, dd, dt, summary, .name { overflow-wrap: anywhere; }
header p { margin: 0.3rem 0; max-width: 75ch; }
nav { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 0.9rem; }
nav a { color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  padding: 0.15rem 0.7rem; text-decoration: none; }
nav a:hover, nav a:focus-visible { border-color: var(--chosen); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 0.9rem;
  align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; overflow: hidden; }
.card img { display: block; width: 100%; height: 14rem; object-fit: contain; background: var(--track); }
.body { padding: 0.7rem 0.85rem 0.85rem; }
.text { padding: 0.7rem 0.85rem; border-bottom: 1px solid var(--line); background: var(--back); }
.text > *, .long > p { margin: 0; }
.text p { white-space: pre-line; }
.text > * + * { margin-top: 0.6rem; padding-top: 0.6rem; border-top: 1px dashed var(--line); }
.lost { padding: 2rem 0.85rem; text-align: center; background: var(--track); color: var(--soft); }
h3 { font-size: 0.95rem; margin: 0; display: flex; justify-content: space-between; gap: 0.6rem; }
h3 .rank { color: var(--soft); font-weight: 400; white-space: nowrap; }
.label { margin: 0.15rem 0 0.55rem; }
.votes { display: grid; grid-template-columns: minmax(3rem, auto) minmax(4rem, 1fr) auto; gap: 0.2rem 0.55rem;
  align-items: center; margin: 0; font-size: 0.87rem; }
.votes .name { max-width: 9rem; }
.votes .number { text-align: right; font-variant-numeric: tabular-nums; }
.track { background: var(--track); border-radius: 0.25rem; height: 0.7rem; overflow: hidden; }
.track span { display: block; height: 100%; background: var(--bar); }
.track.chosen span { background: var(--chosen); }
.who { margin: 0.55rem 0 0; font-size: 0.87rem; color: var(--soft); }
.who dl { margin: 0.2rem 0 0; }
.who div { margin: 0.15rem 0; }
.who dt, .who dd { display: inline; margin: 0; }
.who dt { color: var(--ink); }
summary { cursor: pointer; }
.long summary { list-style: none; }
.long summary::-webkit-details-marker { display: none; }
.long summary::after { content: " more"; color: var(--chosen); }
.long[open] summary::after { content: "less"; }
.long[open] .clip { display: none; }
mark { background: var(--mark); color: inherit; border-radius: 0.2rem; padding: 0 0.15rem; }
@media print { .card { break-inside: avoid; } }
"""

/** The style of the reference's pages. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --accent: light-dark(#0b5cad, #7ab8ff) }
* { box-sizing: border-box }
[hidden], .group:not(:has(> section:not([hidden]))) { display: none !important }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: .85rem }
nav h2 { font-size: .85rem; margin: 1rem 0 .25rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: .15rem 0; overflow-wrap: anywhere }
input { font: inherit; width: 100%; padding: .3rem .5rem; border: 1px solid var(--line); border-radius: 4px }
main { padding: 1rem 2rem 4rem; max-width: 90rem }
main > p, .group > p, section:not(:has(> div)) { max-width: 56rem }
a { color: var(--accent); text-decoration: none }
a:hover, p a, td a { text-decoration: underline }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem }
section:target { box-shadow: -4px 0 var(--accent) } tr:target { background: light-dark(#fff6d6, #3a3420) }
h4 { margin: .75rem 0 .25rem; font-size: .9rem }
h3 { margin: .75rem 0 .25rem; overflow-wrap: anywhere }
p { margin: .4rem 0 }
ol { padding-left: 1.5rem }
dl { margin: .5rem 0; font-size: .9rem }
dd { margin: 0 0 .3rem 1rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .9rem }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0 }
td:last-child { overflow-wrap: anywhere }
pre, code, td:first-child { font: .85em/1.45 ui-monospace, monospace }
pre, code { background: #8882; border-radius: 4px }
code { padding: .1em .3em }
pre { padding: .75rem; margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
pre[data-language]::before { content: attr(data-language); display: block; font-weight: 600; opacity: .7 }
.tabbed > pre::before { content: none !important }
.bar { display: flex; justify-content: space-between; border-bottom: 1px solid var(--line) }
button { font: inherit; font-size: .8rem; color: inherit; background: none; border: 0; padding: .3rem .6rem; cursor: pointer }
button[aria-selected=true] { box-shadow: inset 0 -2px var(--accent); font-weight: 600 }
.copied { position: relative } .copied > .copy { position: absolute; top: 0; right: 0; background: light-dark(#fffc, #222c) }
pre.answer { max-height: 24rem; overflow: auto }
@media (min-width: 75rem) { section:has(> div) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem } section > div + div { position: sticky; top: 1rem; align-self: start } }
b.GET { color: light-dark(#1a7f37, #57d27a) } b.POST { color: light-dark(#0b5cad, #7ab8ff) }
b.PUT, b.PATCH { color: light-dark(#8a5a00, #e0b050) } b.DELETE { color: light-dark(#b42318, #ff8a7a) }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; border: 0 } main { padding: 1rem } }
`

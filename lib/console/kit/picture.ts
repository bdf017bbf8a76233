/** Returns numbers that depend only on an identifier: `draw(n)` is a number below n. */
function drawsOf(id: string): (below: number) => number {
  // FNV-1a over the text, then mulberry32.
  let state = 0x811c9dc5
  for (const letter of id) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const ANTENNAS = [
  '<path d="M32 22V11"/><circle cx="32" cy="10" r="2"/>',
  '<path d="M24 22 20 11M40 22l4-11"/>',
  '<path d="M32 22v-6h9v-5"/>',
  '<path d="M15 30h-5v9h5M49 30h5v9h-5"/>',
]

const EYES = [
  '<circle cx="25" cy="33" r="4"/><circle cx="39" cy="33" r="4"/>',
  '<rect x="21" y="29" width="8" height="8" rx="2"/><rect x="35" y="29" width="8" height="8" rx="2"/>',
  '<rect x="20" y="30" width="24" height="6" rx="3"/>',
  '<circle cx="32" cy="33" r="6"/>',
  '<path d="M20 35a5 5 0 0 1 10 0zM34 35a5 5 0 0 1 10 0z"/>',
]

const MOUTHS = ['M27 42h10', 'M26 41q6 5 12 0', 'M26 43h3m3 0h3m3 0h1', 'M30 42h4']

/**
 * Returns a picture of an agent as a `data:` URI: a robot. The same identifier gives the same form and
 * colours, and most others give different ones.
 */
export function pictureOf(id: string): string {
  const draw = drawsOf(id)
  const one = (shapes: readonly string[]) => shapes[draw(shapes.length)] ?? ''
  const hue = draw(360)
  const other = (hue + 30 + draw(70)) % 360
  const round = 5 + draw(10)
  const ink = `hsl(${other} 60% 24%)`
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue} 85% 66%)"/><stop offset="1" stop-color="hsl(${other} 70% 46%)"/></linearGradient><path fill="url(#g)" d="M0 0h64v64H0z"/><path fill="#fff" opacity=".35" d="M12 64a20 13 0 0 1 40 0z"/><g fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round">${one(ANTENNAS)}</g><rect x="15" y="21" width="34" height="28" rx="${round}" fill="#fff"/><g fill="${ink}">${one(EYES)}</g><path d="${one(MOUTHS)}" fill="none" stroke="${ink}" stroke-width="2.5" stroke-linecap="round"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(picture)}`
}

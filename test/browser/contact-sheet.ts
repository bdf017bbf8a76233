/** A picture of the console: `vault` on a `phone`, where the network is gone. */
export type Picture = {
  view: string
  style: string
  /** The state of the data; by default all that a busy wallet has. */
  state?: string
}

/** The picture's file. */
export const fileOf = ({ view, style, state }: Picture): string =>
  `${[view, style, state].filter((part) => part !== undefined).join('-')}.png`

/** A page that shows all pictures, view by view. */
export function contactSheet(pictures: readonly Picture[]): string {
  const sections = [...Map.groupBy(pictures, ({ view }) => view)].map(
    ([view, its]) => `<h2>${view}</h2>\n<div>\n${its.map(figureOf).join('\n')}\n</div>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The console, view by view</title>
<style>
  body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; background: #777; color: #fff }
  div { display: flex; gap: 16px; overflow-x: auto; align-items: start }
  figure { margin: 0; flex: none }
  img { height: 420px }
</style>
<h1>The console, view by view</h1>
${sections.join('\n')}
</html>
`
}

const figureOf = (picture: Picture): string => {
  const words = [picture.style, picture.state].filter((part) => part !== undefined).join(', ')
  const file = fileOf(picture)
  return `<figure><figcaption>${words}</figcaption><a href="${file}"><img src="${file}" alt="${words}" loading="lazy"></a></figure>`
}

const WIDTH = 110

/**
 * Formats JSON for people: two spaces a level. A list of scalars, or an object of one scalar such as a
 * `$ref`, is on one line if it fits.
 */
export const readableJson = (value: unknown): string => write(JSON.parse(JSON.stringify(value)), 0, 0)

/** @param used the columns that the line already has */
function write(value: unknown, level: number, used: number): string {
  if (!isNested(value)) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const entries = Object.entries(value)
  if (entries.length === 0) return `${open}${close}`
  const name = (key: string) => (isList ? '' : `${JSON.stringify(key)}: `)
  if ((isList || entries.length === 1) && !entries.some(([, member]) => isNested(member))) {
    const line = entries.map(([key, member]) => name(key) + JSON.stringify(member)).join(', ')
    const text = isList ? `[${line}]` : `{ ${line} }`
    if (used + text.length < WIDTH) return text
  }
  const indent = '  '.repeat(level + 1)
  const lines = entries.map(([key, member]) => {
    const head = indent + name(key)
    return head + write(member, level + 1, head.length)
  })
  return `${open}\n${lines.join(',\n')}\n${'  '.repeat(level)}${close}`
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

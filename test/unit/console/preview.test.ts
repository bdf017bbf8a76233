import { expect, it } from 'vitest'
import { leftOutOf, unlisted, withPreview } from '../../../functions/console/preview.ts'

const PAGE =
  '<html><head><meta name="description" content="Old." /><title>AgentCred</title><meta property="og:title" content="Old" /></head><body></body></html>'

const page = (title: string, description = 'Finds yield.') =>
  withPreview(PAGE, { title, description, address: 'agents/7' }, 'https://api.example.com')

it('replaces the title, the description and the tags of the built page', () => {
  const text = page('Yield Scout')
  expect(text).toContain('<title>Yield Scout · AgentCred</title>')
  expect(text).toContain('<meta name="description" content="Finds yield." />')
  expect(text).toContain('<meta property="og:title" content="Yield Scout" />')
  expect(text).toContain('<meta property="og:url" content="https://api.example.com/console/agents/7" />')
  expect(text).not.toContain('Old')
  expect(text.match(/<title>/g)).toHaveLength(1)
})

it.each([
  '"><script>alert(1)</script>',
  '</title><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "$& $' $` $1 <!--",
  '&lt;script&gt;&quot;',
])('shows the text %s as text', (text) => {
  const plain = page('x', 'y')
  const attacked = page(text, text)
  // No tag and no attribute more than with a harmless text.
  for (const mark of ['<', '>', '"']) expect(attacked.split(mark).length).toBe(plain.split(mark).length)
  const shown = [
    /<title>([^<]*) · AgentCred<\/title>/,
    /og:title" content="([^"]*)"/,
    /name="description" content="([^"]*)"/,
  ]
  for (const pattern of shown) expect(decoded(pattern.exec(attacked)?.[1])).toBe(text)
})

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}
const decoded = (text = '') => text.replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity)

it('cuts a text of 10 kB', () => {
  expect(page('x'.repeat(10_000), 'y'.repeat(10_000)).length).toBeLessThan(2_500)
})

it('reads what the deployment leaves out, and keeps search engines from a page', () => {
  expect(leftOutOf(PAGE)).toEqual([])
  expect(leftOutOf(PAGE.replace('</head>', '<meta name="left-out" content="vault live"></head>'))).toEqual([
    'vault',
    'live',
  ])
  expect(unlisted(PAGE)).toContain('<meta name="robots" content="noindex" /></head>')
})

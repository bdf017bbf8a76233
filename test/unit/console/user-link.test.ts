import { expect, it } from 'vitest'
import { userLink } from '../../../lib/console/kit/user-link.ts'

it.each([
  ['https://files.example.com/a?b=c#d', 'https://files.example.com/a?b=c#d'],
  ['HTTPS-like texts stay texts', undefined],
  ['http://files.example.com/', undefined],
  ['https:files.example.com', undefined],
  ['javascript:alert(1)//https://files.example.com/', undefined],
  ['see https://files.example.com/', undefined],
  ['https://files.example.com/ and more', undefined],
  ['https://files.example.com/\nhttps://other.example.com/', undefined],
  ['https://agentcred.example@other.example.com/', undefined],
  ['https://', undefined],
  ['https://exаmple.com/', 'https://xn--exmple-4nf.com/'],
])('links a text only if all of it is an https link: %j', (text, href) => {
  expect(userLink(text)).toBe(href)
})

import { expect, it } from 'vitest'
import { nextPageLink } from '../../../lib/http/paging.ts'

const link = (url: string, cursor: string | undefined) => nextPageLink(url, cursor)

it('links to the same request with the cursor of the next page', () => {
  expect(link('https://api.example/v1/agents?limit=2&status=all', 'abc')).toEqual({
    link: '<https://api.example/v1/agents?limit=2&status=all&cursor=abc>; rel="next"',
  })
  expect(link('https://api.example/v1/agents', 'abc')).toEqual({
    link: '<https://api.example/v1/agents?cursor=abc>; rel="next"',
  })
})

it('replaces the cursor of this page, also a repeated one', () => {
  expect(link('https://api.example/v1/agents?cursor=old&limit=2&cursor=older', 'new')).toEqual({
    link: '<https://api.example/v1/agents?cursor=new&limit=2>; rel="next"',
  })
})

it('has no link on the last page', () => {
  expect(link('https://api.example/v1/agents?limit=2', undefined)).toEqual({})
})

it('escapes parameters so that none can end the link early', () => {
  const { link: value } = link(
    'https://api.example/v1/agents?q=a>;rel="x"\r\nset-cookie:%20y&z=%3E%0D%0A',
    'a>b\n"',
  )
  expect(value).toMatch(/^<[^<>"\s]+>; rel="next"$/)
})

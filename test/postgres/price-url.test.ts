import { expect, it } from 'vitest'
import { API_SCHEMA } from '../../schema/release.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()

it.each([
  ['GET /forecast/:city', 'https://api.example.com/v1/mcp?x=1', 'https://api.example.com/forecast/:city'],
  ['POST /', 'HTTPS://API.Example.com:443', 'https://api.example.com/'],
  ['GET //evil.example/', 'https://api.example.com', 'https://api.example.com//evil.example/'],
  ['GET /@evil.example', 'http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/@evil.example'],
  ['GET /a', 'http://127.0.0.1:443#x', 'http://127.0.0.1:443/a'],
  ['forecast', 'https://api.example.com', null],
  ['get /forecast', 'https://api.example.com', null],
  ['GET https://evil.example/', 'https://api.example.com', null],
  ['GET /two words', 'https://api.example.com', null],
  ['GET /forecast', null, null],
  [null, 'https://api.example.com', null],
])('makes of the price %s at %s the URL %s', async (name, endpoint, url) => {
  expect(await database.query(`select ${API_SCHEMA}.price_url($1, $2) as url`, name, endpoint)).toEqual([
    { url },
  ])
})

import { expect, it } from 'vitest'
import { placeOf } from '../../../lib/console/addresses.ts'

it.each([
  ['market', { name: 'market', parts: [] }],
  ['agents', { name: 'agents', parts: [] }],
  ['agents/register', { name: 'agents', parts: ['register'] }],
  ['agents/7', { name: 'agent', parts: ['7'] }],
  ['reputation', { name: 'reputation', parts: [] }],
  ['reputation/7', { name: 'reputation', parts: ['7'] }],
  ['developer', { name: 'developer', parts: [] }],
  ['developer/webhooks', { name: 'developer', parts: ['webhooks'] }],
])('finds the view of the address %s', (address, place) => {
  expect(placeOf(address)).toEqual(place)
})

it.each(['', 'nope', 'constructor', 'market/7', 'agents/', 'agents/7/8', '/market', 'xmarket', 'market\n'])(
  'finds no view when the address is %j',
  (address) => {
    expect(placeOf(address)).toBeUndefined()
  },
)

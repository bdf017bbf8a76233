import { expect, it } from 'vitest'
import { namesOf } from '../../../lib/console/views/developer/endpoint-draft.ts'

it('distinguishes agents of one name by the end of their ids', () => {
  const agents = [
    { id: '…-0001', name: 'Scout' },
    { id: '…-0002', name: 'Clerk' },
    { id: '…-0003', name: 'Scout' },
  ]
  expect([...namesOf(agents).values()]).toEqual(['Scout (…0001)', 'Clerk', 'Scout (…0003)'])
})

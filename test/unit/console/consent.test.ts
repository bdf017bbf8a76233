import { describe, expect, it } from 'vitest'
import type { ConnectionDestination } from '../../../lib/client/generated/types.ts'
import { permissionLabel } from '../../../lib/console/kit/permissions.ts'
import { ATTENTION_MS, createAttention } from '../../../lib/console/views/connect/attention.ts'
import {
  destinationName,
  headlineOf,
  otherHostOf,
  problemHeadlineOf,
  wayBackOf,
} from '../../../lib/console/views/connect/texts.ts'
import { grantablePermissions } from '../../../schema/values.ts'

const SITE: ConnectionDestination = { kind: 'web', host: 'xn--claude-9fg.ai:8443' }
const APP: ConnectionDestination = { kind: 'app', host: 'cursor' }
const COMPUTER: ConnectionDestination = { kind: 'computer' }

describe('the texts of the consent page', () => {
  it('say where the answer goes in the headline', () => {
    expect([SITE, APP, COMPUTER].map(headlineOf)).toEqual([
      'xn--claude-9fg.ai:8443 wants to use AgentCred for you',
      'The app cursor wants to use AgentCred for you',
      'A program on this computer wants to use AgentCred for you',
    ])
    expect(problemHeadlineOf(APP)).toBe('The app cursor made a request that can’t be granted')
  })

  it('say where a link leads', () => {
    expect([SITE, APP, COMPUTER].map(wayBackOf)).toEqual([
      'go back to xn--claude-9fg.ai:8443',
      'go back to the app cursor',
      'go back to the program on this computer',
    ])
    expect(destinationName(COMPUTER)).toBe('a program on this computer')
  })

  it('name the host of a description only when the answer goes elsewhere', () => {
    const request = { clientName: 'Claude', permissions: [], refuseUrl: '' }
    const hostOf = (destination: ConnectionDestination, clientHost?: string) =>
      otherHostOf({ ...request, destination, ...(clientHost && { clientHost }) })
    expect(hostOf({ kind: 'web', host: 'claude.ai' }, 'claude.ai')).toBeUndefined()
    expect(hostOf(COMPUTER, 'claude.ai')).toBe('claude.ai')
    expect(hostOf(APP, 'cursor.com')).toBe('cursor.com')
    expect(hostOf(COMPUTER)).toBeUndefined()
  })

  it('have words for every permission that a program can have', () => {
    for (const permission of grantablePermissions) expect(permissionLabel(permission)).toMatch(/^[A-Z]\w+ /)
    expect(permissionLabel('newer:permission')).toBe('newer:permission')
    expect(permissionLabel('toString')).toBe('toString')
  })
})

/** A page that is in front or not, and a clock that moves when told. */
function createPage(isInFront = true) {
  const page = { isInFront, isAttended: false, now: 0, pass }
  let due: { at: number; run: () => void } | undefined
  const attention = createAttention(
    () => page.isInFront,
    (isAttended) => {
      page.isAttended = isAttended
    },
    {
      set: (run, ms) => (due = { at: page.now + ms, run }),
      clear: (timer) => {
        if (due === timer) due = undefined
      },
    },
  )
  function pass(ms: number) {
    page.now += ms
    if (due === undefined || due.at > page.now) return
    const { run } = due
    due = undefined
    run()
  }
  return Object.assign(page, attention)
}

describe('attention', () => {
  it('is reported when the page was in front for a whole second', () => {
    const page = createPage()
    page.restart()
    page.pass(ATTENTION_MS - 1)
    expect(page.isAttended).toBe(false)
    page.pass(1)
    expect(page.isAttended).toBe(true)
  })

  it('begins again when the page leaves the front or comes back', () => {
    const page = createPage()
    page.restart()
    page.pass(ATTENTION_MS - 1)
    page.isInFront = false
    page.restart()
    page.pass(10 * ATTENTION_MS)
    expect(page.isAttended).toBe(false)
    page.isInFront = true
    page.restart()
    page.pass(ATTENTION_MS - 1)
    page.restart()
    page.pass(ATTENTION_MS - 1)
    expect(page.isAttended).toBe(false)
    page.pass(1)
    expect(page.isAttended).toBe(true)
    page.isInFront = false
    page.restart()
    expect(page.isAttended).toBe(false)
  })

  it('is not reported when the page left the front without an event, or is gone', () => {
    const page = createPage()
    page.restart()
    page.isInFront = false
    page.pass(ATTENTION_MS)
    expect(page.isAttended).toBe(false)
    page.isInFront = true
    page.restart()
    page.stop()
    page.pass(ATTENTION_MS)
    expect(page.isAttended).toBe(false)
  })
})

import { createHash, createPublicKey, verify } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { expect } from 'vitest'
import type { KeyWallet } from '../../lib/cli/wallet.ts'
import { Event } from '../../schema/wire/event.ts'
import { register } from './agents.ts'
import type { Body, Call, Service } from './service.ts'

/** One attempt as it reached an endpoint. */
export type Received = { url: string; headers: Record<string, string>; bytes: Buffer; body: Body }

/** Answers an attempt. */
export type Respond = (received: Received) => Response | Promise<Response>

/** Answers 204 to everything, as a receiver that knows of no challenge. */
export const plain: Respond = () => new Response(null, { status: 204 })

/** What proves a challenge, sharing no code with the product. */
export const proofOf = (challenge: unknown) => createHash('sha256').update(String(challenge)).digest('hex')

const isRequest = ({ body }: Received) => body.type === 'endpoint.verification'
const challengeIn = ({ body }: Received) => (body.data as Body).challenge

/**
 * The endpoints of all agents of a service. Each stores its webhooks, and by default answers 204. If its
 * answer is 2xx, it answers a request for a proof with the proof, unless it is `plain`. Such requests are
 * stored separately.
 */
export function openInbox(service: Service) {
  const received: Received[] = []
  const requests: Received[] = []
  const answers = new Map<string, Respond>()
  const patterns: [RegExp, Respond][] = []
  const proofs = new Map<string, (challenge: string) => string | null>()
  const respondTo = (url: string) => answers.get(url) ?? patterns.find(([pattern]) => pattern.test(url))?.[1]
  const receive = async (request: Request) => {
    const bytes = Buffer.from(await request.arrayBuffer())
    const attempt = {
      url: request.url,
      headers: Object.fromEntries(request.headers),
      bytes,
      body: JSON.parse(bytes.toString()),
    }
    received.push(attempt)
    if (isRequest(attempt)) requests.push(attempt)
    const respond = respondTo(request.url)
    const answer = (await respond?.(attempt)) ?? new Response(null, { status: 204 })
    if (!isRequest(attempt) || !answer.ok) return answer
    received.splice(received.indexOf(attempt), 1)
    const proof = proofs.get(request.url)
    if (proof) return new Response(proof(String(challengeIn(attempt))))
    return respond === plain ? answer : new Response(proofOf(challengeIn(attempt)))
  }
  const open = () => service.onWebhook(receive)
  open()
  /** Returns the webhooks of an endpoint so far, in order. */
  const of = (url: string) => received.filter((attempt) => attempt.url === url)
  let counter = 0

  /** An owner with an agent whose webhook, at an address that nobody else has, answers as given. */
  async function createAgent(respond?: Respond, changes: Body = {}) {
    const url = `https://hooks-${++counter}.example.com/agentcred?a=1&b=%20`
    if (respond) answers.set(url, respond)
    const owner = await service.signIn()
    const agent = await register(owner.call, { webhookUrl: url, ...changes })
    return new AgentOwner(service, owner.wallet, agent, url)
  }

  /** The same, its endpoint answering as given only once it is proven: of others little is tried again. */
  async function createProven(respond: Respond) {
    const owner = await createAgent()
    await owner.untilStates('delivered')
    answers.set(owner.url, respond)
    return owner
  }

  return {
    /** Takes what is sent, after another has taken it for a while. */
    open,
    of,
    all: () => received,
    /** The requests for a proof that a URL was sent. */
    requests: (url: string) => requests.filter((request) => request.url === url),
    /** The challenge that a URL was sent last. */
    challenge: (url: string) =>
      String(challengeIn(requests.findLast((request) => request.url === url) as Received)),
    createAgent,
    createProven,
    answer: (url: string, respond: Respond) => answers.set(url, respond),
    /** What an endpoint answers a request for a proof, instead of the proof. */
    answerChallenge: (url: string, by: (challenge: string) => string | null) => proofs.set(url, by),
    /** Answers for every endpoint whose address matches and that has no answer of its own. */
    answerAll: (pattern: RegExp, respond: Respond) => patterns.push([pattern, respond]),
    /**
     * Waits until the queue has claimed all that was due before this call. Waits for the records of sent
     * webhooks, too: otherwise a moved clock would end their lease, and the Clock would take care of them.
     * @param cutOff the number of runs that the test has cut off, which never end
     */
    async drained({ cutOff = 0 } = {}) {
      const marker = await createAgent()
      await eventually('the queue is drained', () => of(marker.url).length > 0)
      await eventually('what was sent is recorded', async () => (await service.leases()) <= cutOff)
    },
    types: (url: string) => of(url).map(({ body }) => String(body.type)),
    /** Waits until an endpoint has been sent so many, each as the API description has it. */
    async until(url: string, count: number): Promise<[Received, ...Received[]]> {
      await eventually(`${count} attempts at ${url}`, () => of(url).length >= count)
      for (const attempt of of(url))
        if (!isRequest(attempt)) expect(v.safeParse(Event, attempt.body).issues ?? []).toEqual([])
      return of(url) as [Received, ...Received[]]
    },
  }
}

/** An agent's owner, always logged in. */
export class AgentOwner {
  readonly service: Service
  readonly wallet: KeyWallet
  readonly agent: Body & { id: string }
  readonly url: string
  readonly #call: Call

  constructor(service: Service, wallet: KeyWallet, agent: Body & { id: string }, url: string) {
    this.service = service
    this.wallet = wallet
    this.agent = agent
    this.url = url
    this.#call = service.stayIn(wallet)
  }

  call(method: string, path: string, body?: unknown) {
    return this.#call(method, path, body === undefined ? {} : { body })
  }

  /** Newest events first. */
  async deliveries(query = ''): Promise<Body[]> {
    return (await this.call('GET', `/events/deliveries${query}`)).body.deliveries as Body[]
  }

  /** Waits until the deliveries, newest first, are in these states, and returns them. */
  async untilStates(...states: string[]): Promise<Body[]> {
    let found: Body[] = []
    await eventually(`deliveries ${states}`, async () => {
      found = await this.deliveries()
      return String(found.map(({ status }) => status)) === String(states)
    })
    return found
  }

  /** Waits until what became of an attempt of the newest delivery is recorded, and returns the delivery. */
  async untilAttempted(attempts: number): Promise<Body> {
    let found: Body | undefined
    await eventually(`attempt ${attempts} recorded`, async () => {
      found = (await this.deliveries())[0]
      return found?.attempts === attempts && ('lastResponseCode' in found || 'lastFailure' in found)
    })
    return found as Body
  }

  /** Another wallet hires the agent. */
  async hire(body: Body = {}) {
    const hirer = await this.service.signIn()
    const hire = await hirer.call('POST', '/agents/hire', { body: { agentId: this.agent.id, ...body } })
    return { ...hirer, hire: hire.body, status: hire.status }
  }
}

/**
 * Moves the clock from alarm to alarm, which run the due jobs, until one has run jobs at `due.at` or later.
 * That must happen by `due.by`. An alarm without due work runs no job.
 * @returns when that alarm came
 */
export async function reachAlarmOf(service: Service, due: { at: number; by: number }): Promise<number> {
  let came = 0
  await eventually('the Clock is told, and its alarm has run jobs', async () => {
    for (;;) {
      came = service.clock.now()
      const before = await service.wakes()
      const next = await service.reachAlarm()
      if (came >= due.at && (await service.wakes()) > before) return true
      if (next > due.by) return false
      await service.clock.travelTo(next)
    }
  })
  return came
}

/** Lets seconds pass, with the alarms that come in them, until something has happened. */
export const whileTimePasses = (service: Service, what: string, happened: () => boolean | Promise<boolean>) =>
  eventually(what, async () => {
    await service.clock.travelTo(service.clock.now() + 1_000)
    await service.reachAlarm()
    return happened()
  })

/** The shortest and the longest time between two looks: what is waited for comes at once or in seconds. */
const FIRST_CHECK_MS = 20
const LAST_CHECK_MS = 250

/** Waits for what happens by itself. The limit is for a machine at work on other things. */
export async function eventually(
  what: string,
  happened: () => boolean | Promise<boolean>,
  limitMs = 180_000,
) {
  const startedAt = performance.now()
  for (let pauseMs = FIRST_CHECK_MS; !(await happened()); pauseMs = Math.min(pauseMs * 1.2, LAST_CHECK_MS)) {
    if (performance.now() - startedAt > limitMs) throw new Error(`this has not happened: ${what}`)
    await setTimeout(pauseMs)
  }
}

/**
 * Verifies an attempt by the text of Standard Webhooks 1.0.0 ("Signature scheme", asymmetric), sharing no
 * code with the product: OpenSSL's Ed25519 (node:crypto) over the bytes as they were received.
 * @returns how many of its signatures are valid under the key (`whpk_…`)
 */
export function validSignatures({ headers, bytes }: Received, publicKey: string): number {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((entry) => /^v1a,([A-Za-z0-9+/]{86}==)$/.exec(entry)?.[1] ?? '')
    .filter((text) => verify(null, Buffer.concat([content, bytes]), key, Buffer.from(text, 'base64'))).length
}

import { DurableObject } from 'cloudflare:workers'
import { pageOf } from '../cursor.ts'
import type { Db, SessionClaim } from '../db/connect.ts'
import { reasonOf } from '../db/failures.ts'
import { eventListText } from '../events/views.ts'
import { logError } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { readLog } from './queries.ts'
import {
  acknowledgementOf,
  EVENTS_PROTOCOL,
  isFull,
  MAX_SOCKETS,
  type SocketState,
  STATE_HEADER,
  withAcknowledged,
  withSent,
} from './socket-state.ts'

/** Why a socket is closed, by code: 4000 to 4999 are an application's own. */
const ENDED = 4401
const CURSOR_LOST = 4409
const NOT_ACKNOWLEDGED = 4413
const TOO_MANY_MESSAGES = 4429
/** A fault of ours (RFC 6455). */
const FAULT = 1011
const NOT_UNDERSTOOD = 4400
const REVOKED = 'the session was revoked'

/** Events of one message. */
const EVENTS_PER_MESSAGE = 100

/** After which times the log is read again while something is held back. */
const REREAD_MS = [1_000, 2_000, 5_000] as const

/** Pages that are read for a wallet in a minute as fast as they can be sent; further ones by the second. */
const MAX_QUICK_READS = 60
const PACE_MS = 1_000

/** An acknowledgement is shorter. */
const MAX_MESSAGE_LENGTH = 100
const MINUTE_MS = 60_000
/** Messages from all sockets of a wallet in a minute that acknowledge nothing. */
const MAX_IDLE_MESSAGES = 120
/** Connections of a wallet, with those that were closed and whose clients don't answer that: all end then. */
const MAX_CONNECTIONS = 4 * MAX_SOCKETS

/** Until when no socket is opened, in Unix milliseconds. */
const BARRED = 'barred'

/**
 * The sockets of one wallet, to which its log is sent as it grows. It sleeps while nothing happens: what it
 * knows stands in the sockets' attachments.
 */
export abstract class LiveLog<Env> extends DurableObject<Env> {
  #sending: Promise<void> | undefined
  #isAsked = false
  #rereads = 0
  #idle = { minute: 0, count: 0 }
  #reads = { minute: 0, count: 0, at: 0 }
  #alarmAt: number | undefined
  /** When the log is to be read again without a nudge. */
  #lookAt: number | undefined

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // Answered without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** The database as a session sees it. */
  abstract db(session: SessionClaim): Db

  /** The time as it is, in Unix milliseconds. */
  abstract now(): number

  timer(): { set: (at: number) => Promise<void>; get: () => Promise<number | null> } {
    const { storage } = this.ctx
    return { set: (at) => storage.setAlarm(at), get: () => storage.getAlarm() }
  }

  /** Opens a socket: 101, or 429 where the wallet has as many as it may, or has sent too much. */
  override async fetch(request: Request): Promise<Response> {
    const state: SocketState = JSON.parse(request.headers.get(STATE_HEADER) ?? '')
    const barredUntil = (await this.ctx.storage.get<number>(BARRED)) ?? 0
    // The session of a new socket is not revoked, so those of generations before are.
    for (const [socket, { generation }] of this.#sockets())
      if (generation < state.generation) close(socket, ENDED, REVOKED)
    if (this.ctx.getWebSockets().length >= MAX_CONNECTIONS) this.ctx.abort('connections that nobody closes')
    if (this.#sockets().length >= MAX_SOCKETS || this.now() < barredUntil)
      return new Response(null, { status: 429 })
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    server.serializeAttachment(state)
    this.ctx.waitUntil(this.#send())
    return new Response(null, {
      status: 101,
      webSocket: client,
      headers: { 'sec-websocket-protocol': EVENTS_PROTOCOL },
    })
  }

  /** Says that the log has grown. Sockets that have not even acknowledged what was before are left behind. */
  async nudge(): Promise<void> {
    for (const [socket, state] of this.#sockets())
      if (isFull(state))
        close(socket, NOT_ACKNOWLEDGED, `go on after ${state.acknowledged ?? 'the beginning'}`)
    this.#rereads = 0
    if (this.#sockets().length > 0) await this.#send()
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const isShort = typeof message === 'string' && message.length <= MAX_MESSAGE_LENGTH
    const id = isShort ? acknowledgementOf(message) : undefined
    if (id === undefined) close(socket, NOT_UNDERSTOOD, 'send {"ack":"<event id>"}')
    const before = stateOf(socket)
    const state = id === undefined ? before : withAcknowledged(before, id)
    if (state === before) return this.#countIdle(socket)
    socket.serializeAttachment(state)
    if (state.isBehind && !isFull(state)) await this.#send()
  }

  /**
   * Counts a message that acknowledges nothing. A socket that was closed may go on sending, and each message
   * is paid for: nothing but the object's end ends its connection, and then none is opened for a while.
   */
  async #countIdle(socket: WebSocket): Promise<void> {
    const minute = Math.floor(this.now() / MINUTE_MS)
    const count = this.#idle.minute === minute ? this.#idle.count + 1 : 1
    this.#idle = { minute, count }
    if (count > MAX_IDLE_MESSAGES) close(socket, TOO_MANY_MESSAGES, 'too many messages')
    if (count <= 2 * MAX_IDLE_MESSAGES) return
    await this.ctx.storage.put(BARRED, (minute + 1) * MINUTE_MS)
    await this.ctx.storage.sync()
    this.ctx.abort('too many messages')
  }

  override webSocketClose(socket: WebSocket): void {
    // Answers the closing frame, where the runtime has not.
    close(socket, 1000, '')
  }

  /**
   * A token has ended, or what was held back may be shown by now. A token's end is no reason to wake the
   * database for the other sockets; behind the last one nothing is kept, which would be paid for.
   */
  override async alarm(): Promise<void> {
    this.#alarmAt = undefined
    const isEnd = this.#closeEnded()
    if (this.#sockets().length === 0) return this.ctx.storage.deleteAll()
    if (isEnd && this.#lookAt === undefined) return this.#planNext()
    await this.#send()
  }

  /** Closes the sockets whose tokens have ended. @returns whether there were any */
  #closeEnded(): boolean {
    const now = this.now()
    const ended = this.#sockets().filter(([, { expiresAt }]) => expiresAt <= now)
    for (const [socket] of ended) close(socket, ENDED, 'the session has ended')
    return ended.length > 0
  }

  /** Sends what is new. A call while another one runs is served by that one, which reads again. */
  #send(): Promise<void> {
    this.#isAsked = true
    this.#sending ??= this.#sendWhileAsked()
    return this.#sending
  }

  async #sendWhileAsked(): Promise<void> {
    try {
      while (this.#isAsked) {
        this.#isAsked = false
        this.#lookAt = await this.#sendNew()
        await this.#planNext()
      }
    } finally {
      this.#sending = undefined
    }
  }

  /** Sends what the log has after each socket's last event. @returns when to look again soon, if at all */
  async #sendNew(): Promise<number | undefined> {
    this.#closeEnded()
    const done = new Set<WebSocket>()
    let isHeld = false
    for (;;) {
      const waiting = this.#sockets().filter(([socket, state]) => !done.has(socket) && !isFull(state))
      const [first] = waiting
      if (!first) return this.#rereadAt(isHeld)
      if (!this.#mayRead()) return this.#reads.at + PACE_MS
      const [, { last, generation }] = first
      const group = waiting.filter(([, state]) => state.last === last && state.generation === generation)
      const page = await this.#sendPage(group)
      isHeld ||= page.isHeld
      if (!page.hasMore) for (const [socket] of group) done.add(socket)
    }
  }

  /** When to look again at what is held back. */
  #rereadAt(isHeld: boolean): number | undefined {
    if (!isHeld) this.#rereads = 0
    const wait = isHeld ? REREAD_MS[this.#rereads++] : undefined
    return wait === undefined ? undefined : this.now() + wait
  }

  /** Counts a read. Whoever opens sockets on a long log again and again would read it all each time. */
  #mayRead(): boolean {
    const at = this.now()
    const minute = Math.floor(at / MINUTE_MS)
    const count = this.#reads.minute === minute ? this.#reads.count + 1 : 1
    const mayRead = count <= MAX_QUICK_READS || at >= this.#reads.at + PACE_MS
    if (mayRead) this.#reads = { minute, count, at }
    return mayRead
  }

  /** Reads one page for sockets that go on from the same event in the same session, and sends it to them. */
  async #sendPage(group: Open[]): Promise<{ isHeld: boolean; hasMore: boolean }> {
    const [[, { wallet, generation, last }]] = group as [Open]
    const isNew = group.some(([, state]) => state.isNew)
    const closeAll = (code: number, reason: string) => {
      for (const [socket] of group) close(socket, code, reason)
      return { isHeld: false, hasMore: false }
    }
    const limit = EVENTS_PER_MESSAGE + 1
    const page = await readLog(this.db({ wallet, generation }), wallet, { after: last, isNew, limit }).catch(
      (error: unknown) => {
        if (error instanceof Refusal && error.code === 'session_revoked') return undefined
        logError({ job: 'live', reason: reasonOf(error) })
        return FAILED
      },
    )
    if (page === undefined) return closeAll(ENDED, REVOKED)
    if (page === FAILED) return { isHeld: true, hasMore: false }
    if (page.lost) return closeAll(CURSOR_LOST, `go on after ${page.lost.oldest ?? 'the beginning'}`)
    const { rows: events, last: newest, hasMore } = pageOf(page.events, EVENTS_PER_MESSAGE)
    const text = eventListText({ events, hasMore })
    for (const [socket] of group) {
      // It may have acknowledged something meanwhile.
      const before = stateOf(socket)
      const state = newest && send(socket, text) ? withSent(before, newest.id, text.length) : before
      socket.serializeAttachment({ ...state, isNew: false, isBehind: hasMore && isFull(state) })
    }
    return { isHeld: page.isHeld, hasMore }
  }

  /** Sets the alarm for the first token that ends, or for the next look. */
  async #planNext(): Promise<void> {
    const ends = this.#sockets().map(([, { expiresAt }]) => expiresAt)
    const at = Math.min(...ends, this.#lookAt ?? Infinity)
    if (ends.length === 0 || at === this.#alarmAt) return
    await this.timer().set(at)
    this.#alarmAt = at
  }

  #sockets(): Open[] {
    return this.ctx
      .getWebSockets()
      .filter(({ readyState }) => readyState === WebSocket.OPEN)
      .map((socket) => [socket, stateOf(socket)])
  }
}

/** A socket that is open, with its state. */
type Open = [WebSocket, SocketState]

/** What stands for a page that could not be read. */
const FAILED = 'failed'

const stateOf = (socket: WebSocket): SocketState => socket.deserializeAttachment()

/** @returns whether it could be sent: a socket may be closing */
function send(socket: WebSocket, text: string): boolean {
  try {
    socket.send(text)
    return true
  } catch {
    // Left open, it would be read for again and again.
    close(socket, FAULT, '')
    return false
  }
}

function close(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed.
  }
}

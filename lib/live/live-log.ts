import { DurableObject } from 'cloudflare:workers'
import type { Db, SessionClaim } from '../db/connect.ts'
import { counted, MINUTE_MS, pacedAt, withRead } from './pace.ts'
import { sendPage } from './send-page.ts'
import {
  acknowledgementOf,
  EVENTS_PROTOCOL,
  isFull,
  MAX_SOCKETS,
  type SocketState,
  STATE_HEADER,
  withAcknowledged,
} from './socket-state.ts'
import { CLOSED, close, type Open, REVOKED, stateOf } from './sockets.ts'

/** After which times the log is read again while something is held back. */
const REREAD_MS = [1_000, 2_000, 5_000] as const

/** An acknowledgement is shorter. */
const MAX_MESSAGE_LENGTH = 100
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
      if (generation < state.generation) close(socket, CLOSED.ended, REVOKED)
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
        close(socket, CLOSED.notAcknowledged, `go on after ${state.acknowledged ?? 'the beginning'}`)
    this.#rereads = 0
    if (this.#sockets().length > 0) await this.#send()
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const isShort = typeof message === 'string' && message.length <= MAX_MESSAGE_LENGTH
    const id = isShort ? acknowledgementOf(message) : undefined
    if (id === undefined) close(socket, CLOSED.notUnderstood, 'send {"ack":"<event id>"}')
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
    this.#idle = counted(this.#idle, this.now())
    const { minute, count } = this.#idle
    if (count > MAX_IDLE_MESSAGES) close(socket, CLOSED.tooManyMessages, 'too many messages')
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
    const ended = this.#sockets().filter(([, { expiresAt }]) => expiresAt <= this.now())
    for (const [socket] of ended) close(socket, CLOSED.ended, 'the session has ended')
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
      const reads = withRead(this.#reads, this.now())
      if (!reads) return pacedAt(this.#reads)
      this.#reads = reads
      const [, { last, generation }] = first
      const group = waiting.filter(([, state]) => state.last === last && state.generation === generation)
      const page = await sendPage((session) => this.db(session), group)
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

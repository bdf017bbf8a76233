import { DurableObject } from 'cloudflare:workers'
import type { Db, SessionClaim } from '../db/connect.ts'
import { counted, MAX_IDLE_MESSAGES, MINUTE_MS, pacedAt, withRead } from './pace.ts'
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

/** The pauses before the log is read again while it hides an event. */
const REREAD_MS = [1_000, 2_000, 5_000] as const

/** The longest acknowledgement is shorter. */
const MAX_MESSAGE_LENGTH = 100
/** The most connections of a wallet, including closed ones whose clients don't answer. Beyond it all end. */
const MAX_CONNECTIONS = 4 * MAX_SOCKETS

/** The storage key of the time until which no socket is opened, in Unix milliseconds. */
const BLOCKED = 'barred'

/**
 * The sockets of one wallet, which receive its log as it grows. The object sleeps while nothing happens; its
 * state is in the sockets' attachments.
 */
export abstract class LiveLog<Env> extends DurableObject<Env> {
  #sending: Promise<void> | undefined
  #isAsked = false
  #rereads = 0
  #idle = { minute: 0, count: 0 }
  #reads = { minute: 0, count: 0, at: 0 }
  #alarmAt: number | undefined
  /** When to read the log again without a notification. */
  #readAt: number | undefined

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // The runtime answers without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Returns the database with a session's rights. */
  abstract db(session: SessionClaim): Db

  /** Returns the present time, in Unix milliseconds. */
  abstract now(): number

  timer(): { set: (at: number) => Promise<void>; get: () => Promise<number | null> } {
    const { storage } = this.ctx
    return { set: (at) => storage.setAlarm(at), get: () => storage.getAlarm() }
  }

  /** Opens a socket: 101, or 429 if the wallet has too many, or has sent too much. */
  override async fetch(request: Request): Promise<Response> {
    const state: SocketState = JSON.parse(request.headers.get(STATE_HEADER) ?? '')
    const blockedUntil = (await this.ctx.storage.get<number>(BLOCKED)) ?? 0
    // The session of a new socket is not revoked, so sessions of earlier epochs are.
    for (const [socket, { epoch }] of this.#sockets())
      if (epoch < state.epoch) close(socket, CLOSED.ended, REVOKED)
    if (this.ctx.getWebSockets().length >= MAX_CONNECTIONS)
      this.ctx.abort('too many connections that clients do not close')
    if (this.#sockets().length >= MAX_SOCKETS || this.now() < blockedUntil)
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

  /** Notifies that the log has grown. It closes sockets that have not acknowledged earlier messages. */
  async nudge(): Promise<void> {
    for (const [socket, state] of this.#sockets())
      if (isFull(state))
        close(socket, CLOSED.notAcknowledged, `continue after ${state.acknowledged ?? 'the start'}`)
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
   * Counts a message that acknowledges nothing. A closed socket may still send, and each message costs money.
   * Only the end of the object ends the connection; then no socket is opened for a while.
   */
  async #countIdle(socket: WebSocket): Promise<void> {
    this.#idle = counted(this.#idle, this.now())
    const { minute, count } = this.#idle
    if (count > MAX_IDLE_MESSAGES) close(socket, CLOSED.tooManyMessages, 'too many messages')
    if (count <= 2 * MAX_IDLE_MESSAGES) return
    await this.ctx.storage.put(BLOCKED, (minute + 1) * MINUTE_MS)
    await this.ctx.storage.sync()
    this.ctx.abort('too many messages')
  }

  override webSocketClose(socket: WebSocket): void {
    // Answers the closing frame, if the runtime has not.
    close(socket, 1000, '')
  }

  /**
   * Handles the end of a token, or reads hidden events that may be visible now. The end of a token does not
   * wake the database for the other sockets. After the last socket nothing stays stored, since storage costs
   * money.
   */
  override async alarm(): Promise<void> {
    this.#alarmAt = undefined
    const isEnd = this.#closeEnded()
    if (this.#sockets().length === 0) return this.ctx.storage.deleteAll()
    if (isEnd && this.#readAt === undefined) return this.#planNext()
    await this.#send()
  }

  /** Closes the sockets whose tokens have ended. @returns whether it closed any */
  #closeEnded(): boolean {
    const ended = this.#sockets().filter(([, { expiresAt }]) => expiresAt <= this.now())
    for (const [socket] of ended) close(socket, CLOSED.ended, 'the session has ended')
    return ended.length > 0
  }

  /** Sends new events. A call during another one makes that one read again. */
  #send(): Promise<void> {
    this.#isAsked = true
    this.#sending ??= this.#sendWhileAsked()
    return this.#sending
  }

  async #sendWhileAsked(): Promise<void> {
    try {
      while (this.#isAsked) {
        this.#isAsked = false
        this.#readAt = await this.#sendNew()
        await this.#planNext()
      }
    } finally {
      this.#sending = undefined
    }
  }

  /** Sends the log after each socket's last event. @returns when to read again soon, if at all */
  async #sendNew(): Promise<number | undefined> {
    this.#closeEnded()
    const done = new Set<WebSocket>()
    let hasHidden = false
    for (;;) {
      const waiting = this.#sockets().filter(([socket, state]) => !done.has(socket) && !isFull(state))
      const [first] = waiting
      if (!first) return this.#rereadAt(hasHidden)
      const reads = withRead(this.#reads, this.now())
      if (!reads) return pacedAt(this.#reads)
      this.#reads = reads
      const [, { last, epoch }] = first
      const group = waiting.filter(([, state]) => state.last === last && state.epoch === epoch)
      const page = await sendPage((session) => this.db(session), group)
      hasHidden ||= page.hasHidden
      if (!page.hasMore) for (const [socket] of group) done.add(socket)
    }
  }

  /** Returns when to read hidden events again. */
  #rereadAt(hasHidden: boolean): number | undefined {
    if (!hasHidden) this.#rereads = 0
    const wait = hasHidden ? REREAD_MS[this.#rereads++] : undefined
    return wait === undefined ? undefined : this.now() + wait
  }

  /** Sets the alarm for the first end of a token, or for the next read. */
  async #planNext(): Promise<void> {
    const ends = this.#sockets().map(([, { expiresAt }]) => expiresAt)
    const at = Math.min(...ends, this.#readAt ?? Infinity)
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

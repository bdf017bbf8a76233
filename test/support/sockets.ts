import { once } from 'node:events'
import WebSocket from 'ws'
import type { LoggedEvent } from './events.ts'
import type { Service } from './service.ts'
import { eventually } from './webhooks.ts'

type Message = { events: LoggedEvent[]; count: number; hasMore: boolean }

/** A socket on a wallet's log, as a browser opens one. */
export type Listener = Awaited<ReturnType<typeof listen>>

/** Opens a socket, which by default acknowledges its events. */
export async function listen(
  service: Service,
  token: string,
  { after, acknowledges = true }: { after?: string; acknowledges?: boolean } = {},
) {
  const messages: Message[] = []
  const socket = connectTo(service, token, after === undefined ? '' : `?after=${after}`)
  socket.on('message', (data) => {
    if (String(data) === 'pong') return
    const message: Message = JSON.parse(String(data))
    messages.push(message)
    const last = message.events.at(-1)
    if (acknowledges && last) socket.send(JSON.stringify({ ack: last.id }))
  })
  const closed = once(socket, 'close').then(([code, reason]) => ({
    code: Number(code),
    reason: String(reason),
  }))
  await once(socket, 'open')
  // As the client does: the connection of a socket that has never sent anything is closed late.
  socket.send('ping')
  const events = () => messages.flatMap((message) => message.events)
  return {
    socket,
    messages,
    events,
    closed,
    /** Waits for so many events in all. */
    async until(count: number) {
      await eventually(`${count} events have come`, () => events().length >= count)
      return events()
    },
    close() {
      socket.close()
      return closed
    },
  }
}

const connectTo = (
  service: Service,
  token: string,
  query: string,
  protocols = ['agentcred.events.v1', `bearer.${token}`],
): WebSocket => new WebSocket(`${service.origin.replace('http', 'ws')}/v1/events/live${query}`, protocols)

/** Tries to open a socket. @returns the answer's status and code */
export async function refusalOf(service: Service, token: string, query = '', protocols?: string[]) {
  const socket = connectTo(service, token, query, protocols)
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  let text = ''
  for await (const chunk of response) text += chunk
  socket.terminate()
  return { status: response.statusCode as number, ...JSON.parse(text) }
}

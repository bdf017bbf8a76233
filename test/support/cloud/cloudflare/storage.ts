import type {
  NamespaceCreateParams,
  NamespaceListParams,
} from 'cloudflare/resources/kv/namespaces/namespaces'
import type { ConsumerCreateParams } from 'cloudflare/resources/queues/consumers'
import type { PurgeStartParams } from 'cloudflare/resources/queues/purge'
import type { QueueCreateParams, QueueGetMetricsResponse } from 'cloudflare/resources/queues/queues'
import { count, fields, flag, like, maybe, oneOf, query, text, within } from '../published.ts'
import {
  ACCOUNT,
  ApiError,
  type CloudflareState,
  idOf,
  invalid,
  type Metadata,
  notFound,
  type Route,
  route,
} from './state.ts'

const queueOf = ({ queues }: CloudflareState, id = '') => {
  const found = [...queues.values()].find(({ queue_id }) => queue_id === id)
  if (!found) throw notFound('The queue')
  return found
}

type WorkerConsumer = ConsumerCreateParams.MqWorkerConsumerRequest

const consumer = fields<Omit<WorkerConsumer, 'account_id'>>({
  script_name: text,
  type: oneOf('worker'),
  dead_letter_queue: maybe(text),
  settings: maybe(
    fields<ConsumerCreateParams.MqWorkerConsumerRequest.Settings>({
      batch_size: maybe(within(1, 100)),
      max_concurrency: maybe(within(1, 250)),
      max_retries: maybe(within(0, 100)),
      max_wait_time_ms: maybe(within(0, 60_000)),
      retry_delay: maybe(within(0, 86_400)),
    }),
  ),
})

/** KV namespaces, and queues with their consumers. */
export const storageRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/storage/kv/namespaces',
    scope: 'Workers KV Storage:Read',
    query: query<NamespaceListParams>({ page: count, per_page: count }),
    handle: ({ namespaces }) => [...namespaces].map(([title, id]) => ({ id, title })),
  }),
  route<NamespaceCreateParams>({
    method: 'POST',
    path: '/storage/kv/namespaces',
    scope: 'Workers KV Storage:Edit',
    body: fields<Omit<NamespaceCreateParams, 'account_id'>>({
      title: { type: 'string', minLength: 1, maxLength: 512 },
      jurisdiction: maybe(oneOf('eu', 'fedramp', 'us')),
    }),
    handle: ({ namespaces, made }, { body: { title } }) => {
      if (namespaces.has(title))
        throw new ApiError(400, 10014, 'a namespace with this account ID and title already exists')
      made.namespaces += 1
      const id = idOf(`${title}${made.namespaces}`)
      namespaces.set(title, id)
      return { id, title }
    },
  }),
  route({
    method: 'GET',
    path: '/queues',
    scope: 'Queues:Read',
    // wrangler names and pages; the description has neither.
    query: { name: text, page: count },
    handle: ({ queues }, { query }) =>
      [...queues.values()].filter(
        ({ queue_name }) => !query.has('name') || query.getAll('name').includes(queue_name),
      ),
  }),
  route<QueueCreateParams>({
    method: 'POST',
    path: '/queues',
    scope: 'Queues:Edit',
    body: fields<Omit<QueueCreateParams, 'account_id'>>({
      queue_name: like('^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$'),
      jurisdiction: maybe(oneOf('eu', 'us', 'fedramp')),
    }),
    // The free plan has queues, too (https://developers.cloudflare.com/queues/platform/pricing/).
    handle: ({ hasQueues, queues, made }, { body: { queue_name } }) => {
      // As github.com/cloudflare/workers-sdk/issues/12438 shows it.
      if (!hasQueues)
        throw new ApiError(
          403,
          11002,
          `In order to use Queues, you must enable your account at https://dash.cloudflare.com/${ACCOUNT}/workers/queues.`,
        )
      if (queues.has(queue_name)) throw new ApiError(409, 11009, 'Queue name is already taken')
      made.queues += 1
      const queue = { queue_id: idOf(queue_name), queue_name, consumers: [], backlog: 0 }
      queues.set(queue_name, queue)
      return queue
    },
  }),
  route({
    method: 'GET',
    path: '/queues/{queue_id}/metrics',
    scope: 'Queues:Read',
    // Best effort, and 0 where the oldest is unknown (queues.d.ts, QueueGetMetricsResponse).
    handle: (state, _call, id): QueueGetMetricsResponse => {
      const { backlog } = queueOf(state, id)
      return { backlog_bytes: backlog * 100, backlog_count: backlog, oldest_message_timestamp_ms: 0 }
    },
  }),
  route<PurgeStartParams>({
    method: 'POST',
    path: '/queues/{queue_id}/purge',
    scope: 'Queues:Edit',
    body: fields<Omit<PurgeStartParams, 'account_id'>>({ delete_messages_permanently: maybe(flag) }),
    handle: (state, _call, id) => Object.assign(queueOf(state, id), { backlog: 0 }),
  }),
  route({
    method: 'GET',
    path: '/queues/{queue_id}/consumers',
    scope: 'Queues:Read',
    handle: (state, _call, id) => queueOf(state, id).consumers,
  }),
  route<WorkerConsumer>({
    method: 'POST',
    path: '/queues/{queue_id}/consumers',
    scope: 'Queues:Edit',
    body: consumer,
    handle: (state, { body }, id) => {
      const { queue_name, consumers } = queueOf(state, id)
      const { script_name, type, dead_letter_queue, settings } = body
      if (!state.scripts.has(script_name)) throw invalid('script_name')
      if (dead_letter_queue && !state.queues.has(dead_letter_queue)) throw notFound('The dead letter queue')
      const consumer_id = idOf(queue_name)
      consumers.push({ consumer_id, script: script_name, script_name, type, settings })
      return consumers[0]
    },
  }),
  route({
    method: 'PUT',
    path: '/queues/{queue_id}/consumers/{consumer_id}',
    scope: 'Queues:Edit',
    body: consumer,
    handle: (state, _call, id) => queueOf(state, id).consumers[0],
  }),
  route({
    method: 'DELETE',
    path: '/queues/{queue_id}/consumers/{consumer_id}',
    scope: 'Queues:Edit',
    handle: (state, _call, id, consumerId) => {
      const queue = queueOf(state, id)
      const left = queue.consumers.filter(({ consumer_id }) => consumer_id !== consumerId)
      if (left.length === queue.consumers.length) throw notFound('The consumer')
      queue.consumers = left
      return null
    },
  }),
  route({
    method: 'DELETE',
    path: '/queues/{queue_id}',
    scope: 'Queues:Edit',
    handle: (state, _call, id) => {
      const { queue_name } = queueOf(state, id)
      // As github.com/alchemy-run/distilled/pull/432 shows it.
      if (isBound(state, (one) => one.type === 'queue' && one.queue_name === queue_name))
        throw new ApiError(400, 11005, 'Queue is still referenced by a Worker binding')
      state.queues.delete(queue_name)
      return null
    },
  }),
  route({
    method: 'DELETE',
    path: '/storage/kv/namespaces/{namespace_id}',
    scope: 'Workers KV Storage:Edit',
    handle: (state, _call, id) => {
      const title = [...state.namespaces].find(([, one]) => one === id)?.[0]
      if (title === undefined) throw new ApiError(404, 10013, 'namespace not found')
      // github.com/anomalyco/sst/issues/5279 shows it, also for a while after the Worker was deleted.
      const isLate = state.unbindsLate > 0 && state.unbindsLate-- > 0
      if (isLate || isBound(state, (one) => one.namespace_id === id && one.type === 'kv_namespace'))
        throw new ApiError(400, 10052, 'namespace has associated scripts')
      state.namespaces.delete(title)
      return null
    },
  }),
]

type Binding = Metadata['bindings'][number]

const isBound = ({ scripts }: CloudflareState, isTo: (binding: Binding) => boolean): boolean =>
  [...scripts.values()].some(({ metadata }) => metadata.bindings.some(isTo))

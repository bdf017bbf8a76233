import { AgentCredError } from './error.ts'
import { at, settled, type TransactOptions } from './flow.ts'
import type {
  AuthSession,
  AuthSubmit,
  Hire,
  HireRequest,
  Job,
  PaymentTransaction,
  VaultTransaction,
} from './generated/types.ts'
import type { JobDecision, JobFunding, JobWaiting } from './jobs.ts'
import { type EventOptions, events, type ListName, list } from './lists.ts'
import { liveEvents } from './live.ts'
import { load } from './load.ts'
import { createLogin } from './login.ts'
import { originsOf } from './login-text.ts'
import type { CallOptions, RequestOf } from './operations.ts'
import { createSend } from './send.ts'
import { createCall, createSessions } from './session.ts'
import type { LoginMethod } from './steps.ts'
import { type Funding, type Ordered, type PaymentOrder, pay, requireWallet, transact } from './transact.ts'
import type { Facts } from './verify/facts.ts'
import type { JobOrder, SeenJob } from './verify/order.ts'
import { type Sleep, sleep as sleepFor } from './waiting.ts'
import type { Wallet } from './wallet.ts'

export type ClientOptions = {
  /** `https://api.agentcred.example/v1`. */
  baseUrl: string
  /** The service's own origin (`https://api.agentcred.example`), if `baseUrl` is your own proxy of it. */
  origin?: string | undefined
  /** The wallet that logs in and signs. Public reads need none. */
  wallet?: Wallet | undefined
  /**
   * The deployment that you trust: a saved answer of `GET /payments/deployment`. It pins the token, the keys
   * and the protocol fee that transactions are verified with. By default the host states them.
   */
  deployment?: Facts | undefined
  /** An agent of the wallet to name in its sessions. */
  agentId?: string | undefined
  /** The permissions of its sessions; by default all of the wallet's. */
  permissions?: AuthSubmit['permissions'] | undefined
  /** A session of an earlier login, from `onSession`. Ignored if it is another wallet's. */
  session?: AuthSession | undefined
  /** Called with each new session, and with undefined when it has ended. Use it to store the session. */
  onSession?: ((session: AuthSession | undefined) => void) | undefined
  /** How often to repeat a safe request; 3 by default. */
  retries?: number | undefined
  /** The time limit of one attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** For live events. If it is undefined, the client polls for events. */
  WebSocket?: typeof globalThis.WebSocket | undefined
  /** Unix milliseconds. */
  now?: (() => number) | undefined
  sleep?: Sleep | undefined
  /** From 0 to 1. */
  random?: (() => number) | undefined
}

export type Client = ReturnType<typeof createClient>

const loadJobs = () => load(import('./jobs.ts'))

/** Makes a client of the service, for one wallet or for none. */
export function createClient(options: ClientOptions) {
  const { wallet, sleep = sleepFor, now = Date.now } = options
  const transport = {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
    timeoutMs: options.timeoutMs ?? 30_000,
  }
  const patience = { retries: options.retries ?? 3, sleep, random: options.random ?? Math.random }
  const asked = { agentId: options.agentId, permissions: options.permissions }
  const isOfWallet = !wallet || wallet.publicKey === options.session?.publicKey
  const send = createSend(transport, patience)
  const sessions = createSessions({
    logIn: wallet
      ? createLogin(send, wallet, asked, originsOf(transport.baseUrl, options.origin))
      : async () => {
          throw new AgentCredError('wallet_missing', 'The client has no wallet')
        },
    now,
    session: isOfWallet ? options.session : undefined,
    onSession: options.onSession,
  })
  const call = createCall(send, sessions)
  const deps = { call, sleep, now, wallet, known: { pinned: options.deployment } }
  const live = {
    ...{ call, sleep, random: patience.random, baseUrl: transport.baseUrl },
    token: async (signal?: AbortSignal) => (await sessions.current(signal)).sessionToken,
    WebSocket: 'WebSocket' in options ? options.WebSocket : globalThis.WebSocket,
  }

  return {
    /** Calls an operation by its method and path: `call('GET /agents/{id}', { path: { id } })`. */
    call,

    /** Yields the entries of a list, over all its pages: `for await (const agent of list('GET /agents'))`. */
    list: <Name extends ListName>(name: Name, request?: RequestOf<Name> & CallOptions) =>
      list(call, name, request),

    /** Yields the wallet's events in order; with `live` or `everyMs` also future ones. */
    events: (event: EventOptions & { live?: boolean | undefined } = {}) =>
      event.live ? liveEvents(live, event) : events(call, sleep, event),

    /**
     * Logs in now. Without it the first call that needs a session does.
     * @param options.method signs in this way only: one of the `loginMethods` of an earlier error
     */
    login: ({
      signal,
      method,
    }: CallOptions & { method?: LoginMethod | undefined } = {}): Promise<AuthSession> =>
      sessions.renew(signal, method),

    /** Forgets the session. It stays valid at the service until it expires; `revoke` ends it there. */
    logout: (): void => sessions.end(),

    /** Ends all sessions of the wallet at the service, also on other devices. */
    async revoke(options: CallOptions = {}): Promise<void> {
      await call('POST /auth/revoke', options)
      sessions.end()
    },

    /** Hires an agent. */
    hire: (order: HireRequest, { signal }: CallOptions = {}): Promise<Hire> =>
      call('POST /agents/hire', { body: order, signal }),

    /** Orders a job of an agent. The price is due once its owner accepted. A `reference` makes one job. */
    postJob: (order: JobOrder, { signal }: CallOptions = {}): Promise<Job> =>
      call('POST /jobs', { body: order, signal }),

    /** Accepts a job of the wallet's agent under its terms, as you read them. */
    acceptJob: async ({ job }: { job: SeenJob }, { signal }: CallOptions = {}): Promise<Job> =>
      (await loadJobs()).acceptJob(call, job, signal),

    /** Delivers a job, once: `text` never changes. */
    deliverJob: ({ jobId: id, text }: { jobId: string; text: string }, { signal }: CallOptions = {}) =>
      call('POST /jobs/{id}/delivery', { path: { id }, body: { text }, signal }),

    /** Approves a job, objects to its delivery, concedes it, or proposes a split of its price. */
    decideJob: async (decision: JobDecision, { signal }: CallOptions = {}): Promise<Job> =>
      (await loadJobs()).decideJob(call, decision, signal),

    /** Judges a job: `agentAmount` of its price goes to the agent's owner, and the rest to the hirer. */
    judgeJob: (
      { jobId: id, ...body }: { jobId: string } & RequestOf<'POST /jobs/{id}/verdict'>['body'],
      { signal }: CallOptions = {},
    ): Promise<Job> => call('POST /jobs/{id}/verdict', { path: { id }, body, signal }),

    /** Ends a job: withdraws or declines an order, or gives up the work on a funded job. */
    endJob: (id: string, { signal }: CallOptions = {}): Promise<Job> =>
      call('DELETE /jobs/{id}', { path: { id }, signal }),

    /** Waits until a job of the wallet has ended, or until `until` holds, for days if necessary. */
    waitForJob: async (id: string, waiting: JobWaiting = {}): Promise<Job> =>
      (await loadJobs()).waitForJob(call, (following) => liveEvents(live, following), id, waiting),

    /** Locks an amount, in base units of CRED (10^-9). The answer has the position's id. */
    stake: (stake: Ordered<'POST /vault/stack'>, flow?: TransactOptions): Promise<VaultTransaction> =>
      transact(deps, 'POST /vault/stack', stake, flow),

    /** Claims the yield of a position; without `positionId` of as many positions as fit one transaction. */
    claim: (claim: Ordered<'POST /vault/claim'> = {}, flow?: TransactOptions): Promise<VaultTransaction> =>
      transact(deps, 'POST /vault/claim', claim, flow),

    /** Withdraws a position whose lock has ended, with its yield. */
    unstake: (position: Ordered<'POST /vault/unstack'>, flow?: TransactOptions): Promise<VaultTransaction> =>
      transact(deps, 'POST /vault/unstack', position, flow),

    /** Closes an account that a withdrawal left open because others had sent tokens to it. */
    closeLeftovers: (
      position: Ordered<'POST /vault/leftovers'>,
      flow?: TransactOptions,
    ): Promise<VaultTransaction> => transact(deps, 'POST /vault/leftovers', position, flow),

    /**
     * Funds the budget account of a hire of the wallet, in base units of CRED. Opens the account if
     * necessary. Pass the agent's `owner` as your user saw it when hiring: then nobody else may collect.
     */
    fund: ({ owner, ...funding }: Funding, flow?: TransactOptions) =>
      pay(deps, 'POST /payments/budgets', funding, flow, { owner }),

    /** Empties and closes the budget account of a hire. */
    withdraw: (withdrawal: PaymentOrder<'POST /payments/budgets/withdraw'>, flow?: TransactOptions) =>
      pay(deps, 'POST /payments/budgets/withdraw', withdrawal, flow),

    /** Makes an owner's payout account, which budget accounts of its hires then approve. */
    openCollector: (flow?: TransactOptions) => pay(deps, 'POST /payments/collectors', {}, flow),

    /** Collects an owner's due charges: of one hire, or of the hires that have waited longest. */
    collect: (collection: PaymentOrder<'POST /payments/collect'> = {}, flow?: TransactOptions) =>
      pay(deps, 'POST /payments/collect', collection, flow),

    /**
     * Pays the price of an accepted job into an escrow, and opens the wallet's refund account if necessary.
     * Pass the job as your user saw it. With the `order` and the agent's `owner`, no transaction for other
     * terms or another owner is signed.
     */
    fundJob: async (funding: JobFunding, flow?: TransactOptions) =>
      (await loadJobs()).fundJob({ ...deps, pay, requireWallet, at }, funding, flow),

    /** Pays back the hirer's part of an ended job, at least `atLeast` base units of CRED. */
    refundJob: (
      { jobId, ...seen }: { jobId: string; atLeast?: bigint | undefined },
      flow?: TransactOptions,
    ) => pay(deps, 'POST /payments/jobs/refund', { jobId }, flow, seen),

    /** Collects what ended jobs pay an agents' owner: of one job, or of the jobs that have waited longest. */
    collectJobs: ({ jobId, ...seen }: { jobId?: string; feeBps?: number } = {}, flow?: TransactOptions) =>
      pay(deps, 'POST /payments/jobs/collect', jobId === undefined ? {} : { jobId }, flow, seen),

    /** Closes empty escrows of ended jobs, which returns their rent to the hirer. */
    closeEscrows: (order: PaymentOrder<'POST /payments/jobs/close'> = {}, flow?: TransactOptions) =>
      pay(deps, 'POST /payments/jobs/close', order, flow),

    /** Buys credit, which pays the network fees of payments for requests to the wallet's agents. */
    buyCredit: (purchase: PaymentOrder<'POST /payments/credit'>, flow?: TransactOptions) =>
      pay(deps, 'POST /payments/credit', purchase, flow),

    /** Waits for the outcome of a sent payment transaction, after a flow that ended too early. */
    waitForPayment: (id: string, waiting: CallOptions = {}): Promise<PaymentTransaction> =>
      settled(deps, 'GET /payments/transactions/{id}', id, {
        ...waiting,
        isSelfSent: wallet !== undefined && !wallet.signTransaction,
      }),

    /** Waits for the outcome of a sent vault transaction, after a flow that ended too early. */
    waitForTransaction: (id: string, waiting: CallOptions = {}): Promise<VaultTransaction> =>
      settled(deps, 'GET /vault/transactions/{id}', id, waiting),
  }
}

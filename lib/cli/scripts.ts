import { pioneerTiers } from '../../schema/values.ts'

/** An option, as node:util's parseArgs reads it, with its text in the usage. */
type Option = {
  type: 'string' | 'boolean'
  /** The value without the option. The usage shows the default of a text after `help`. */
  default?: string | boolean
  multiple?: boolean
  /** The form of a text, such as `<seconds>`. */
  value?: string
  help: string
}

/** The command line of a script: its usage is made of this, and nothing else is accepted. */
export type Script = {
  /** Its commands and their effects; `--help` prints this first. */
  usage: string
  /** Its commands: the first word must be one of them. */
  commands?: readonly string[]
  /** Whether it takes words that are no options; with `commands` it does. */
  words?: boolean
  options?: Record<string, Option>
  /** What `--help` prints last: the environment, what to expect. */
  notes?: string
}

const SWITCH = { type: 'boolean', default: false } as const
const TEXT = { type: 'string' } as const

const PLAN = { ...SWITCH, help: 'shows what it would do, and changes nothing' } as const
const STAGE = { ...TEXT, value: '<name>', help: 'uses the deployment in .deployment-<name>' } as const
const TIMEOUT = { ...TEXT, default: '30', value: '<seconds>', help: 'maximum time of a call' } as const

/** The generators of `npm run generate`, in the order in which they run. */
const GENERATORS = [
  'types',
  'migrations',
  'functions',
  'openapi',
  'client',
  'mcp',
  'tables',
  'assets',
  'console',
  'server',
] as const

export type GeneratorName = (typeof GENERATORS)[number]

/** The parts of `npm run nightly`, in the order in which they run. */
export const NIGHTLY_PARTS = [
  'times',
  'engine',
  'models',
  'bench',
  'soak',
  'generators',
  'screenshots',
] as const

/** What `npm run rotate` rotates. */
export const ROTATED = [
  ...(['database', 'session', 'webhooks', 'secrets', 'cards'] as const),
  ...(['payments', 'agent-keys', 'fee-payer', 'vault'] as const),
] as const

const ON_A_DATABASE =
  'Works on the local platform while it runs, on the database of DATABASE_URL, or on that of --stage <name>.'

/** The scripts of package.json, by name. vitest and biome print the usage of the others. */
export const SCRIPTS = {
  dev: {
    usage: `npm run dev [-- <options>]

Runs the whole service on this machine, until Control-C.`,
    options: {
      fresh: { ...SWITCH, help: 'empties the state folder first' },
      example: {
        ...SWITCH,
        help: 'fills an empty market with 24 agents, and a month of hires, payments and ratings',
      },
      verbose: { ...SWITCH, help: 'in a terminal: prints jobs, too' },
      json: { ...SWITCH, help: 'in a terminal: prints the Workers’ log unchanged' },
    },
    notes: `Environment: PORT (8787), NEON_PORT (5488), SOLANA_RPC_PORT (8899), INBOX_PORT (8790), DATA_DIR (.data);
lib/local/README.md lists all settings.`,
  },
  demo: {
    usage: `npm run demo [-- <base URL> [<RPC URL>]]

Walks through every flow of a running local platform, and stops at the first unexpected answer. It moves the
platform's clock a month ahead, for good. By default the platform is that of PORT and SOLANA_RPC_PORT.`,
    words: true,
    notes: 'Environment: INVITE_CODE, ORACLE_KEY and OPERATOR_KEY add steps.',
  },
  receiver: {
    usage: `npm run receiver -- --keys <URL of GET /events/keys> [options]

Receives webhooks on this machine until Control-C, and prints the verified ones as lines of JSON.`,
    options: {
      keys: {
        ...TEXT,
        value: '<url>',
        help: 'verifies with the service’s public keys; not needed with WEBHOOK_SECRETS',
      },
      wallet: {
        ...TEXT,
        value: '<address>',
        help: 'accepts only the events of this wallet; by default of any',
      },
      port: {
        ...TEXT,
        default: '0',
        value: '<port>',
        help: 'the port on 127.0.0.1; 0: any free one',
      },
      'any-time': {
        ...SWITCH,
        help: 'accepts any webhook-timestamp, for a local platform whose clock was moved',
      },
    },
    notes:
      'Environment: WEBHOOK_SECRETS, secrets of endpoints (whsec_…), comma separated, to verify by instead of keys.',
  },
  check: {
    usage: 'npm run check   checks types, lint, format, comments and generated files; changes nothing',
  },
  generate: {
    usage: `npm run generate [-- <generator> …]
npm run generate -- migrations <name>

Writes all generated files, or those of some generators:
${GENERATORS.join(', ')}.
A migration is written only with a name, from the changes of schema/tables.`,
    words: true,
  },
  package: { usage: 'npm run package   packs the npm packages of the client and the React hooks into dist' },
  release: {
    usage: 'npm run release -- <version> [--plan]   makes the commit and the annotated tag of a release',
    words: true,
    options: { plan: PLAN },
  },
  soak: {
    usage: `npm run soak [-- <minutes>] [<part of a file's path> …]

Runs the tests under new seeds until the minutes have passed (60 by default), and prints each failure with the
command that shows it again. A part of a path, such as "vault", leaves out all other files.`,
    words: true,
  },
  nightly: {
    usage: `npm run nightly [-- ${NIGHTLY_PARTS.join('|')} …]

Runs what takes longer than .ci/run may: every part, or the named ones. Writes the times of test files to
test/times/recorded.json; commit it.`,
    words: true,
  },
  bench: {
    usage: `npm run bench [-- <part> …]

Measures speed, scale and cost: every part, or the named ones (test/bench/README.md).`,
    words: true,
  },
  'check:generators': {
    usage: `npm run check:generators [-- <part of a name> …]

Has generators of clients write code from openapi.json, compiles it, and calls a platform of its own with it. A
part of a name, such as "python", leaves out all other generators.`,
    words: true,
  },
  screenshots: {
    usage: `npm run screenshots [-- --readme]

Takes pictures of every view, style and state of the console, for dist/screenshots/index.html.`,
    options: { readme: { ...SWITCH, help: 'replaces the pictures in lib/console/pictures, too' } },
  },
  migrate: {
    usage: 'npm run migrate   applies the migrations to the database of DATABASE_URL; safe to run again',
  },
  setup: {
    usage: 'npm run setup -- [options]     makes a deployment, or continues one; safe to run again',
    options: {
      plan: PLAN,
      name: { ...TEXT, value: '<name>', help: 'prefix of the names of Workers and queues (agentcred)' },
      domain: { ...TEXT, value: '<host>', help: 'the service’s host; by default at workers.dev' },
      topology: {
        ...TEXT,
        value: 'gateway|routes',
        help: 'one public Worker, or a route for each (gateway)',
      },
      solana: {
        ...TEXT,
        value: 'mainnet|devnet|testnet|localnet|none',
        help: 'the cluster; none: without vault and payments (none)',
      },
      live: { ...TEXT, value: 'on|off', help: 'live events by WebSocket (on)' },
      region: { ...TEXT, value: '<Neon region>', help: 'region of a new database (aws-eu-central-1)' },
      'neon-project': {
        ...TEXT,
        value: '<id>',
        help: 'uses this project, in its own region, instead of a new one',
      },
      var: {
        ...TEXT,
        multiple: true,
        value: '<NAME>=<value>',
        help: 'a variable of wrangler.toml; may be repeated. --var <NAME>= restores its default',
      },
      timeout: TIMEOUT,
      stage: {
        ...STAGE,
        help: 'a separate deployment, in .deployment-<name>, called agentcred-<name>',
      },
      adopt: {
        ...SWITCH,
        help: 'takes over a deployment of another machine, with its secrets.json: copies its files here, shows what is missing, and changes nothing else',
      },
      'these-secrets': {
        ...SWITCH,
        help: 'deploys secrets.json as it is, if newer secrets are lost',
      },
    },
    notes: `Until a first setup has recorded the deployment, each run takes the options of the runs before it, too. An
empty value, as in --domain=, removes an earlier one.

Environment: CLOUDFLARE_API_TOKEN, NEON_API_KEY; CLOUDFLARE_ACCOUNT_ID if the token has several accounts,
NEON_ORG_ID if the key has several organizations; with Solana SOLANA_RPC_URL and VAULT_MINT, and keys of your own
(VAULT_AUTHORITY_KEYS, PAYMENTS_AUTHORITY_KEYS and their addresses, VAULT_RECOVERY_ADDRESSES,
PAYMENTS_RECOVERY_ADDRESSES, X402_FEE_PAYER_KEY, X402_KEY_SECRET); DEPLOYMENT_DIR instead of .deployment and of --stage.`,
  },
  upgrade: {
    usage: `npm run upgrade -- [options]   deploys this folder's release; safe to run again`,
    options: {
      plan: PLAN,
      rollback: {
        ...SWITCH,
        help: 'goes back: deploys the previous release with the current keys and settings, or undoes an interrupted upgrade',
      },
      'by-percentage': {
        ...SWITCH,
        help: 'if Cloudflare ignores version overrides: new versions get a quarter of the requests until each has answered and is healthy',
      },
      timeout: TIMEOUT,
      stage: STAGE,
    },
    notes: `Environment: CLOUDFLARE_API_TOKEN, NEON_API_KEY; DEPLOYMENT_DIR instead of .deployment and of --stage.`,
  },
  destroy: {
    usage: 'npm run destroy -- [options]   removes what setup made, and nothing else; safe to run again',
    options: {
      plan: { ...PLAN, help: 'shows what it would remove and leave, and changes nothing' },
      yes: {
        ...TEXT,
        value: '<name>',
        help: 'confirms with the deployment’s name; without it, a terminal asks',
      },
      abandon: { ...SWITCH, help: 'removes it although users have positions, charges or credit' },
      timeout: TIMEOUT,
    },
    notes: `Keys stay on this machine. Environment: CLOUDFLARE_API_TOKEN, NEON_API_KEY; CLOUDFLARE_ACCOUNT_ID if the token
has several accounts, NEON_ORG_ID if the key has several organizations; DEPLOYMENT_DIR instead of .deployment.`,
  },
  queues: {
    usage: 'npm run queues [-- <options>]  shows the messages in the deployment’s queues',
    options: { stage: STAGE },
    notes: 'Environment: CLOUDFLARE_API_TOKEN; DEPLOYMENT_DIR instead of .deployment and of --stage.',
  },
  rotate: {
    usage: `npm run rotate -- <what> [--plan] [--at-once]
  database                     the passwords with which Workers log in to the database
  session                      the key that signs session tokens
  webhooks                     the key that signs webhooks
  secrets                      the key that encrypts the secrets of webhook endpoints
  cards                        the key that signs agent cards
  payments                     the authority of payments and the recovery key of jobs: a new key version
  agent-keys                   the secret behind agents' facilitator keys
  fee-payer                    the fee payer of payments for requests; needs funding in between
  vault                        the vault's authority and recovery key: a new key version; moves the treasury`,
    commands: ROTATED,
    options: {
      plan: PLAN,
      'at-once': {
        ...SWITCH,
        help: 'database, session, webhooks, cards, agent-keys, fee-payer: without overlap, if a key has leaked',
      },
      stop: {
        ...SWITCH,
        help: 'database: disables every login, so that no Worker reads or writes; npm run setup enables them again, --at-once with new passwords',
      },
      stage: STAGE,
    },
    notes: `Run it again after an interruption, and when it says that the older key can be removed. Environment:
CLOUDFLARE_API_TOKEN; DEPLOYMENT_DIR instead of .deployment and of --stage.`,
  },
  deploy: {
    usage: `npm run deploy -- [--dry-run] [<group> …]

Deploys the running Workers, or the named ones, with the settings and secrets of .deployment/ and of the
environment; checks health and logs in. To deploy other code, run npm run upgrade.`,
    words: true,
    options: {
      'dry-run': {
        ...SWITCH,
        help: 'builds every Worker of wrangler.toml, or the named ones, and prints its gzipped size',
      },
      stage: STAGE,
    },
    notes: `Environment: CLOUDFLARE_API_TOKEN, and secrets by name, which override secrets.json;
--stage or DEPLOYMENT_DIR instead of .deployment.`,
  },
  invites: {
    usage: `npm run invites -- issue [--count <1 to 10000>] [--tier ${pioneerTiers.join(' | ')}] [--expires <days>d]
npm run invites -- list
npm run invites -- revoke <code or id>`,
    commands: ['issue', 'list', 'revoke'],
    options: {
      count: { ...TEXT, value: '<number>', help: 'issue: how many codes (1)' },
      tier: { ...TEXT, value: '<tier>', help: 'issue: the tier of their pioneers (founding)' },
      expires: {
        ...TEXT,
        value: '<days>d',
        help: 'issue: the days until they expire, such as 30d; by default never',
      },
      stage: STAGE,
    },
    notes: ON_A_DATABASE,
  },
  jobs: {
    usage: `npm run jobs -- extend --until <time>      moves earlier deadlines of funded jobs to that time
npm run jobs -- delete-texts <job>         deletes all texts of a job; its money stays
npm run jobs -- status                     shows under which key versions of payments jobs are funded
npm run jobs -- leaked --generation <n>    the authority's key has leaked: funds no job under it any more
npm run jobs -- resume --generation <n>    reads all escrows again. If all hold what they owe, ends the stop of an
                                           audit that had found too little in one
npm run jobs -- end --generation <n>       stops fundings under this key version permanently: jobs end
npm run jobs -- publishable --generation <n>
    exits with 0 once the recovery key of jobs of this key version may be published; lists unpaid owners of agents`,
    commands: ['extend', 'delete-texts', 'status', 'leaked', 'resume', 'end', 'publishable'],
    options: {
      until: { ...TEXT, value: '<time>', help: 'extend: a time within 30 days, such as 2026-11-23T18:00Z' },
      generation: { ...TEXT, value: '<n>', help: 'the number of a key version' },
      rpc: {
        ...TEXT,
        value: '<url>',
        help: 'resume: the node; by default that of SOLANA_RPC_URL, for a URL with a key',
      },
      stage: STAGE,
    },
    notes: ON_A_DATABASE,
  },
  vault: {
    usage: `npm run vault -- status
npm run vault -- pause --generation <n> [--reason <text>]    stops new stakes of this key version
npm run vault -- resume --generation <n>
npm run vault -- announce --generation <n>      before its recovery key is published: stops it permanently
npm run vault -- announce --position <address>  before it is withdrawn early with the recovery key`,
    commands: ['status', 'pause', 'resume', 'announce'],
    options: {
      generation: { ...TEXT, value: '<n>', help: 'the number of a key version' },
      position: { ...TEXT, value: '<address>', help: 'the address of a position' },
      reason: { ...TEXT, value: '<text>', help: 'pause: the reason, which status shows' },
      stage: STAGE,
    },
    notes: ON_A_DATABASE,
  },
  payments: {
    usage: `npm run payments -- unproven
    lists the signed collections and credit purchases whose outcome the chain does not prove
npm run payments -- settle --transaction <id> [--rpc <url>] [--assume-expired]
    settles one of them by a node with a longer history
npm run payments -- held
    lists the held hires and their collections, with the sum of the charges that each is known to have paid. A
    restore holds a hire if it finds a collection of it on the chain, but not the charges. Nothing more is
    collected for the hire meanwhile
npm run payments -- paid --transaction <collection> --charges <id,id,…>
    marks due charges of held hires as paid by this collection, up to the amount that it collected. The chain
    names no charges: ask the agent's owner and the hirer
npm run payments -- release --hire <id>
    ends the hold: all charges of the hire that are not marked as paid can be collected. Mark the paid ones
    first, or they are paid twice`,
    commands: ['unproven', 'settle', 'held', 'paid', 'release'],
    options: {
      transaction: { ...TEXT, value: '<id>', help: 'a collection or a credit purchase' },
      rpc: {
        ...TEXT,
        value: '<url>',
        help: 'settle: the node; by default that of SOLANA_RPC_URL. Use this variable for a URL with a key, since other users of the machine can read command lines',
      },
      'assume-expired': {
        ...SWITCH,
        help: 'settle: settles it as expired even if the node proves nothing. Its charges are due again: if it did land, they are paid twice',
      },
      charges: { ...TEXT, value: '<id,id,…>', help: 'paid: the charges' },
      hire: { ...TEXT, value: '<id>', help: 'release: the hire' },
      stage: STAGE,
    },
    notes: `${ON_A_DATABASE}
The setting FEE_STEP, which weighs reputations, is the environment's, .deployment's or, without either,
wrangler.toml's.`,
  },
  reconcile: {
    usage: `npm run reconcile -- --since <ISO time> [options]

Records what the chain has, but the database lost in a restore.`,
    options: {
      since: {
        ...TEXT,
        value: '<time>',
        help: 'the last time that the restored database covers, such as 2026-11-23T10:00:00Z',
      },
      rpc: {
        ...TEXT,
        value: '<url>',
        help: 'a node with a history that reaches back to then; without it SOLANA_RPC_URL’s, since a command line shows a key to others',
      },
      plan: { ...PLAN, help: 'shows what it would record, and changes nothing' },
      stage: STAGE,
    },
    notes: `${ON_A_DATABASE}
The settings VAULT_… and PAYMENTS_… are the environment's, .deployment's or, without either, wrangler.toml's.`,
  },
  backup: {
    usage: `npm run backup [-- <options>]  writes an encrypted backup of the deployment's database into one file`,
    options: {
      out: {
        ...TEXT,
        value: '<file>',
        help: 'the file to write (backups/<name>-<time>.dump.age in .deployment)',
      },
      recipient: {
        ...TEXT,
        value: '<age1…>',
        help: 'the public key to encrypt for, instead of BACKUP_KEY of secrets.json',
      },
    },
    notes: `Needs pg_dump of the server's version or later (PG_BIN: its folder). Environment: DATABASE_URL, the owner's
direct one, else that of secrets.json, else NEON_API_KEY asks Neon; DEPLOYMENT_DIR instead of .deployment.`,
  },
  restore: {
    usage: `npm run restore -- <file>

Restores a backup into a new branch of the deployment's Neon project; safe to run again.`,
    words: true,
    options: {
      'into-database-url': {
        ...SWITCH,
        help: 'into the empty database of DATABASE_URL instead, for a drill',
      },
      identity: {
        ...TEXT,
        value: '<file>',
        help: 'decrypts with the age keys of this file, instead of BACKUP_KEY of secrets.json',
      },
      since: {
        ...TEXT,
        value: '<time>',
        help: 'the time of the backup’s last row; by default the time when pg_dump began, by the clock of its machine',
      },
    },
    notes: `It also reads the chain since that time (npm run reconcile). Workers do not use the restored database yet: the
output says how to switch. Needs pg_restore of the version that made the backup or later (PG_BIN: its folder).
Environment: NEON_API_KEY, or with --into-database-url DATABASE_URL, the direct URL of an empty database; with
Solana SOLANA_RPC_URL, else that of secrets.json; DEPLOYMENT_DIR instead of .deployment.`,
  },
  usage: {
    usage: `npm run usage [-- <options>]

Shows how much of its plan the deployment's Neon project has used; exits with 1 above 80 %.`,
    options: { project: { ...TEXT, value: '<id>', help: 'the project, without a .deployment' } },
    notes: 'Environment: NEON_API_KEY; DEPLOYMENT_DIR instead of .deployment.',
  },
  devnet: {
    usage: `npm run devnet -- --rpc <url>

Prepares a test cluster for the vault (keys, mint, treasury), and writes the settings. A second run keeps
existing parts and adds missing ones.`,
    options: {
      rpc: { ...TEXT, value: '<url>', help: 'the cluster’s node' },
      treasury: {
        ...TEXT,
        default: '1000000',
        value: '<CRED>',
        help: 'the minimum balance of the treasury',
      },
      authority: {
        ...TEXT,
        value: '<key file>',
        help: 'key to use instead of the one in the key folder; the next five likewise',
      },
      mint: { ...TEXT, value: '<key file>', help: 'the mint of CRED' },
      recovery: { ...TEXT, value: '<key file or address>', help: 'the vault’s recovery key' },
      payments: { ...TEXT, value: '<key file>', help: 'the authority of payments' },
      'payments-recovery': { ...TEXT, value: '<key file or address>', help: 'the recovery key of jobs' },
      'fee-payer': { ...TEXT, value: '<key file>', help: 'the fee payer of payments for requests' },
      keys: {
        ...TEXT,
        default: '.env.devnet-keys',
        value: '<folder>',
        help: 'the folder of keys; made on the first run',
      },
      env: { ...TEXT, default: '.env.devnet', value: '<file>', help: 'the file for the settings' },
    },
  },
  exit: {
    usage: `npm run exit -- [--jobs] --rpc <url> --mint <mint> --owner <key file> --recovery <key file or Base58 secret>

Withdraws an owner's positions, locked or not, if the service is gone; with --jobs, what the escrows of a
hirer's jobs hold. A repeated run goes on where the last one stopped.`,
    options: {
      jobs: { ...SWITCH, help: 'the escrows of jobs instead of the positions of the vault' },
      rpc: { ...TEXT, value: '<url>', help: 'a Solana node' },
      mint: { ...TEXT, value: '<address>', help: 'the mint of CRED' },
      owner: { ...TEXT, value: '<key file>', help: 'the owner’s key, in a file only' },
      recovery: {
        ...TEXT,
        value: '<key>',
        help: 'the recovery key of the vault or of jobs: a file, or the Base58 secret itself',
      },
      generation: { ...TEXT, default: '1', value: '<n>', help: 'the key version' },
      position: {
        ...TEXT,
        value: '<address>',
        help: 'only this position or escrow; needed if the node has no index of token accounts',
      },
      'compute-unit-price': {
        ...TEXT,
        default: '1000',
        value: '<n>',
        help: 'priority fee, micro-lamports per compute unit',
      },
      'dry-run': { ...SWITCH, help: 'lists what would be withdrawn, and moves nothing' },
    },
  },
} as const satisfies Record<string, Script>

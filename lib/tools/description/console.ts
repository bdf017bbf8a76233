import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type HtmlTagDescriptor, type Plugin } from 'vite'
import { NUMBER_LOCALE } from '../../console/locale.ts'
import type { Chain } from '../../solana/chains.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The path of the console: in URLs, and below the folder of the built files. */
const BASE = '/console/'

/**
 * Builds the console's static files, for a deployment or for the local platform. The console of the local
 * platform has the development wallet, the webhook inbox, and permission to call the ports of the embedded
 * chain and the inbox.
 * @param folder the absolute path for `_headers` and the folder `console`, which is emptied first
 * @param options.chain the chain that wallets sign for
 * @param options.isLocal whether it is for the local platform; by default false
 * @param options.isOnChain whether the deployment has a vault and payments; by default true
 * @param options.isLive whether it sends events as they happen; by default true
 * @param options.fundingUrl the page where visitors get CRED; by default '', for a deployment without one
 * @throws Error if the build fails, also if uPlot no longer has {@link BROWSER_LOCALE}
 */
export async function buildConsole(
  folder: string,
  { chain, isLocal = false, ...offered }: { chain: Chain; isLocal?: boolean } & Partial<Offered>,
): Promise<void> {
  await build({
    configFile: false,
    root: join(ROOT, 'lib/console'),
    base: BASE,
    logLevel: 'warn',
    plugins: [
      {
        name: 'chain',
        transformIndexHtml: () =>
          tagsOf(chain, { isOnChain: true, isLive: true, fundingUrl: '', ...offered }),
      },
      uplotLocale,
    ],
    define: { DEVELOPMENT: String(isLocal) },
    // For any NODE_ENV: a development build would name the files of this machine.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: join(folder, BASE),
      emptyOutDir: true,
      target: 'es2022',
      // The policy only allows files of our own.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '_headers'), headersOf(isLocal))
}

/** uPlot's expression for the locale of numbers, evaluated when it is loaded. */
const BROWSER_LOCALE = "domEnv ? nav.language : 'en-US'"

/**
 * Makes uPlot format numbers like the console. Otherwise it throws on loading if the browser's locale tag is
 * invalid; it has no option for this.
 */
const uplotLocale: Plugin = {
  name: 'uplot-locale',
  transform: {
    filter: { id: /uPlot\.esm\.js$/ },
    handler(code) {
      if (!code.includes(BROWSER_LOCALE)) throw new Error('uPlot takes its locale from elsewhere now')
      return code.replace(BROWSER_LOCALE, JSON.stringify(NUMBER_LOCALE))
    },
  },
}

/** The features that a deployment may lack. */
type Offered = { isOnChain: boolean; isLive: boolean; fundingUrl: string }

/**
 * Returns the page's tags with its chain (lib/console/wallet/chain.ts), the views to leave out
 * (lib/console/left-out.ts), and the page for CRED (lib/console/wallet/funds.tsx).
 */
function tagsOf(chain: Chain, { isOnChain, isLive, fundingUrl }: Offered): HtmlTagDescriptor[] {
  const leftOut = [...(isOnChain ? [] : [VIEWS_ON_CHAIN]), ...(isLive ? [] : ['live'])].join(' ')
  return [
    { tag: 'meta', attrs: { name: 'solana-chain', content: chain } },
    ...(leftOut === '' ? [] : [{ tag: 'meta', attrs: { name: 'left-out', content: leftOut } }]),
    ...(fundingUrl === '' ? [] : [{ tag: 'meta', attrs: { name: 'funding-url', content: fundingUrl } }]),
  ]
}

/** The views that need the vault or payments (lib/console/views.ts). */
const VIEWS_ON_CHAIN = 'jobs vault earnings selling'

/**
 * The addresses of a wallet app on an Android phone: a WebSocket on a port of its choice. The second one
 * makes the browser ask whether the page may reach this device (lib/console/wallet/mobile/consent.tsx).
 */
const WALLET_APPS = ['ws://localhost:*', 'http://localhost']

/** The addresses of the local platform's chain and inbox. */
const THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*']

/** Returns the headers of each file, in the form of Workers static assets. */
function headersOf(isLocal: boolean): string {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Wallets bring their icons as data.
    "img-src 'self' data:",
    ['connect-src', "'self'", ...WALLET_APPS, ...(isLocal ? THIS_MACHINE : [])].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  // A wallet may open a popup of its own origin and talk to it. With `same-origin` the two would be cut off.
  // The consent page has no such header: functions/console/index.ts takes it off.
  return `/*
  Content-Security-Policy: ${policy}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin-allow-popups
${BASE}assets/*
  ! Cache-Control
  Cache-Control: public, max-age=31536000, immutable
`
}

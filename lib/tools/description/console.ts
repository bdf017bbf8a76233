import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type HtmlTagDescriptor, type Plugin } from 'vite'
import { NUMBERS } from '../../console/locale.ts'
import type { Chain } from '../../solana/chains.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The path below which the console stands; its files are laid out below the same. */
const BASE = '/console/'

/**
 * Builds the console's static files: as a deployment serves them, or as the local platform does, with the
 * development wallet, the inbox for webhooks, and leave to ask the ports of this machine where the embedded
 * chain and the inbox are.
 * @param folder where to, absolute; emptied first
 * @param options.chain what wallets are asked to sign for
 * @param options.isOnChain whether the deployment has a vault and payments
 * @param options.isLive whether it sends events as they happen
 * @param options.fundingUrl where visitors get CRED; '' if the deployment names no page
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
    // For any NODE_ENV: a development build names the files of this machine.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: join(folder, BASE),
      emptyOutDir: true,
      target: 'es2022',
      // Everything is a file of our own, as the policy has it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '_headers'), headersOf(isLocal))
}

/** What uPlot formats numbers by, from the moment that it is loaded. */
const BROWSER_LOCALE = "domEnv ? nav.language : 'en-US'"

/**
 * Makes uPlot format numbers as the console does. By itself it throws while it is loaded where the browser
 * names no valid tag, and has no option for that.
 */
const uplotLocale: Plugin = {
  name: 'uplot-locale',
  transform: {
    filter: { id: /uPlot\.esm\.js$/ },
    handler(code) {
      if (!code.includes(BROWSER_LOCALE)) throw new Error('uPlot takes its locale from elsewhere now')
      return code.replace(BROWSER_LOCALE, JSON.stringify(NUMBERS))
    },
  },
}

/** What a deployment may do without. */
type Offered = { isOnChain: boolean; isLive: boolean; fundingUrl: string }

/**
 * Tells the page its chain (lib/console/wallet/chain.ts), what to leave out (lib/console/left-out.ts), and
 * where to get CRED (lib/console/wallet/funds.tsx).
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
const VIEWS_ON_CHAIN = 'vault earnings selling'

/**
 * How a wallet app on an Android phone answers: by a WebSocket on a port of its choice. The second address
 * makes the browser ask whether the page may reach this device (lib/console/wallet/mobile/consent.tsx).
 */
const WALLET_APPS = ['ws://localhost:*', 'http://localhost']

/** Where the local platform's chain and inbox answer. */
const THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*']

/** The headers of each file, as Workers static assets read them. */
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

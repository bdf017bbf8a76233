import { base58 } from '@scure/base'
import { address } from '@solana/kit'
import { FeatureSet, LiteSVM } from 'litesvm'

/**
 * The two programs that may answer at the Token program's address: p-token, which replaced the other in 2026.
 */
export const TOKEN_PROGRAMS = ['p-token', 'SPL Token 3.5.0'] as const

export type TokenProgram = (typeof TOKEN_PROGRAMS)[number]

/** replace_spl_token_with_p_token (SIMD-0266). */
const P_TOKEN_FEATURE = base58.decode('ptokFjwyJtrwCa9Kgo9xoDS59V4QccBGEaRFnRPnSdP')

/** Makes a virtual machine with mainnet's active features and the given Token program. */
export function createSvm(tokenProgram: TokenProgram): LiteSVM {
  const svm = new LiteSVM()
  if (tokenProgram === 'p-token') return svm
  // Take mainnet's active features, which `new LiteSVM()` shows as accounts, without p-token. Then do as its
  // constructor does.
  const features = new FeatureSet()
  for (const feature of FeatureSet.allEnabled().getActiveFeatures()) {
    const isActive = svm.getAccount(address(base58.encode(feature))).exists
    if (isActive && !feature.equals(P_TOKEN_FEATURE)) features.activate(feature, 0n)
  }
  return LiteSVM.default()
    .withFeatureSet(features)
    .withBuiltins()
    .withLamports(10n ** 15n)
    .withSysvars()
    .withDefaultPrograms()
    .withSigverify(true)
    .withBlockhashCheck(true)
}

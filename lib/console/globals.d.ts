/** Whether this build has the development wallet: that of the local platform only (build.ts). */
declare const DEVELOPMENT_WALLET: boolean

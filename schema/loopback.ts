/** Matches a host of this machine, with or without a port, as the source of a regular expression. */
export const LOOPBACK_HOST = '(([\\w-]+\\.)*localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?'

/** Whether this is the local platform's build, which alone has the development wallet and the inbox. */
declare const DEVELOPMENT: boolean

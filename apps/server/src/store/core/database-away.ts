// PostgreSQL: class 08 connection, 57P01 to 57P03 it is stopping or starting, 57P05 idle too long, 53300 no connection is left.
// 25006 it only reads: a standby that answers under the address of the one that failed.
const ofServer = /^(08...|57P0[1235]|53300|25006)$/
// Node: no socket, nobody listens, gone; its name or its network is not there.
const ofNetwork = new Set([
  ...['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENETDOWN', 'EHOSTDOWN'],
])
// What pg and its pool say without a code.
const ofDriver =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable)/

/** Whether a query failed because the database could not be reached or went away meanwhile, not because of what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!('code' in error) || error.code === undefined) return ofDriver.test(error.message)
  const isOfSocket = 'syscall' in error && error.syscall === 'connect'
  return ofServer.test(String(error.code)) || (ofNetwork.has(String(error.code)) && (isOfSocket || error.code !== 'ENOENT'))
}

/** What the database said; null: it is away. */
export const unlessAway = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error) => {
    if (isDatabaseAway(error)) return null
    throw error
  })

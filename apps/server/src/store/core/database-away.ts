// PostgreSQL: class 08 connection, 57P01 to 57P03 it is stopping or starting, 53300 no connection is left.
const ofServer = /^(08...|57P0[123]|53300)$/
// Node: no socket, nobody listens, gone.
const ofNetwork = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
// What pg and its pool say without a code.
const ofDriver = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Whether a query failed because the database could not be reached or went away meanwhile, not because of what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!('code' in error) || error.code === undefined) return ofDriver.test(error.message)
  const isOfSocket = 'syscall' in error && error.syscall === 'connect'
  return ofServer.test(String(error.code)) || (ofNetwork.has(String(error.code)) && (isOfSocket || error.code !== 'ENOENT'))
}

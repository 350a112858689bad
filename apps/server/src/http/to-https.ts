import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { basePath, Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import { guarded } from '../lib/faults.ts'
import { connectionOptions, limitConnections } from './connections.ts'

/**
 * Plain HTTP beside HTTPS: it leads whoever opens a page to where TLS is, and refuses everything else in words. A call is not led there:
 * whoever signs in without TLS must notice, not go on doing it.
 */
export function serverToHttps(options: {
  /** Of HTTPS, once it listens. */
  readonly port: () => number
  readonly connectionsPerAddress: number
  readonly isProxy: (address: string) => boolean
  readonly log: Logger
}): Server {
  const { port, connectionsPerAddress, isProxy, log } = options
  const { http, requestTimeout, connectionTimeout, clientErrorHandler } = connectionOptions()
  const server = createServer({ ...http, requestTimeout }, guarded(log, 'http', answer))
  server.setTimeout(connectionTimeout)
  server.on('clientError', clientErrorHandler)
  limitConnections(server, connectionsPerAddress, isProxy)
  return server

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request
    const home = homeOf(headers.host ?? '', port())
    // A page that was ever led there by heart could not be opened again once somebody turns TLS off.
    response.setHeader('Cache-Control', 'no-store').setHeader('Connection', 'close')
    const isPage = (method === 'GET' || method === 'HEAD') && url.startsWith('/') && !url.startsWith(basePath)
    if (home !== null && isPage) {
      response.writeHead(308, { Location: home + url }).end()
      return
    }
    const refusal = new Refusal('https needed', { port: port() })
    response.writeHead(refusal.status, { 'Content-Type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(refusal.envelope()))
  }
}

/** The same host by HTTPS; null: it is no name that could be written into an address. */
function homeOf(host: string, port: number): string | null {
  const [, name] = /^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/.exec(host) ?? []
  if (name === undefined) return null
  return port === 443 ? `https://${name}` : `https://${name}:${port}`
}

import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signOnPath } from '@linewarden/contract'
import Provider from 'oidc-provider'

export const signOnClient = { id: 'linewarden', secret: 'provider-secret-of-these-tests' } as const

export interface TestProvider {
  readonly issuer: string
  /** Begins to answer, and sends people back to this origin: it is known only once the server under test listens. */
  serveFor(origin: string): void
  close(): Promise<void>
}

/**
 * A real OpenID Connect provider, of which everybody may be whoever they say: the tests are about its client. `b~name` is another person than
 * `name`, with the same name.
 */
export async function startProvider(): Promise<TestProvider> {
  const server: Server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    serveFor: (origin) => void server.on('request', providerFor(issuer, `${origin}${signOnPath}/back`).callback()),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}

const nameOf = (id: string) => id.slice(id.indexOf('~') + 1)

const providerFor = (issuer: string, redirect: string) =>
  new Provider(issuer, {
    clients: [{ client_id: signOnClient.id, client_secret: signOnClient.secret, redirect_uris: [redirect] }],
    cookies: { keys: ['only-for-tests'] },
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: nameOf(id), email: id, email_verified: !id.startsWith('unproved') }),
    }),
    pkce: { required: () => true },
  })

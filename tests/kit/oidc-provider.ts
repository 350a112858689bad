import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { signOnPath } from '@linewarden/contract'
import type { JWK } from 'oidc-provider'
import Provider from 'oidc-provider'
import { oidcMemory } from './oidc-memory.ts'

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
    serveFor(origin) {
      const provider = providerFor(issuer, `${origin}${signOnPath}/back`)
      const answer = provider.callback()
      server.on('request', (request, response) => {
        if (!request.url?.startsWith(asking)) return answer(request, response)
        ask(provider, request, response).catch((error: unknown) => response.writeHead(400).end(String(error)))
      })
    },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}

const asking = '/interaction/'

/** Asks who somebody is, then whether they agree; whatever they say is believed. */
async function ask(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session, uid } = await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    const fields = prompt.name === 'login' ? '<input name="login"><input name="password" type="password">' : ''
    response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>${prompt.name}</title>
      <form method="post" action="${provider.issuer}${asking}${uid}">${fields}<button type="submit">${prompt.name}</button></form>`)
    return
  }
  const fields = new URLSearchParams(await text(request))
  if (prompt.name === 'login') {
    const login = { accountId: fields.get('login') ?? '' }
    return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

const nameOf = (id: string) => id.slice(id.indexOf('~') + 1)

const providerFor = (issuer: string, redirect: string) =>
  new Provider(issuer, {
    adapter: oidcMemory(),
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `${asking}${uid}` },
    clients: [{ client_id: signOnClient.id, client_secret: signOnClient.secret, redirect_uris: [redirect] }],
    cookies: { keys: ['only-for-tests'] },
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
    // In seconds; of these the provider would say that it was not told.
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: nameOf(id), email: id, email_verified: !id.startsWith('unproved') }),
    }),
    pkce: { required: () => true },
  })

import { signOnPath } from '@linewarden/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from './service.ts'
import type { SignOnAccountDeps } from './sign-on-account.ts'
import { createSignOnAccounts } from './sign-on-account.ts'
import type { AuthorizationRequest } from './sign-on-provider.ts'
import { SignOnProvider } from './sign-on-provider.ts'

const flowMs = 10 * 60_000

/** What the browser carries to the provider and back, sealed: nobody else can finish what this browser began. */
interface Flow extends AuthorizationRequest {
  readonly redirect: string
  /** What the tab keeps that began: without it nobody redeems the ticket. */
  readonly bind: string
  readonly until: number
}

interface Deps extends SignOnAccountDeps {
  readonly accounts: Pick<Accounts, 'sealFor' | 'ticketFor' | 'addAccount' | 'newHash'>
}

/**
 * Sign-on at the organisation's OpenID Connect provider. It ends in a ticket that the login page turns into a session. The two addresses are gone to
 * by a browser, so they carry no signature; the sealed cookie stands in its place.
 */
export function createSignOn(deps: Deps) {
  const { accounts, clock, log } = deps
  const seal = accounts.sealFor('sign-on')
  const provider = new SignOnProvider(deps)
  const { accountOf } = createSignOnAccounts(deps)

  return { mount }

  function mount(app: FastifyInstance): void {
    app.get<{ Querystring: { redirect?: string; bind?: string } }>(
      `${signOnPath}/go`,
      { schema: { hide: true } },
      async (request, reply) => {
        try {
          const { redirect = '', bind = '' } = request.query
          const { url, flow } = await begin(request, String(redirect), String(bind))
          return reply.header('Set-Cookie', cookie(request, seal.seal(JSON.stringify(flow)), flowMs)).redirect(url.href)
        } catch (error) {
          log.warn({ err: error }, 'the sign-on provider cannot be used')
          return reply.redirect('/login#refused=failed')
        }
      },
    )
    app.get(`${signOnPath}/back`, { schema: { hide: true } }, async (request, reply) => {
      reply.header('Set-Cookie', cookie(request, '', 0))
      const flow = flowOf(request)
      if (!flow) return reply.redirect('/login#refused=failed')
      const back = flow.redirect === '' ? '/login' : `/login?redirect=${encodeURIComponent(flow.redirect)}`
      try {
        const identity = await provider.identityFrom(new URL(originOf(request) + request.url), flow)
        const account = await accountOf(identity, request.ip)
        if (!account) return reply.redirect(`${back}#refused=unknown`)
        return reply.redirect(`${back}#ticket=${await accounts.ticketFor(account.accountId, flow.bind)}`)
      } catch (error) {
        log.warn({ err: error }, 'a sign-on failed')
        return reply.redirect(`${back}#refused=failed`)
      }
    })
  }

  async function begin(request: FastifyRequest, redirect: string, bind: string): Promise<{ url: URL; flow: Flow }> {
    if (!/^[A-Za-z0-9_-]{43}$/.test(bind)) throw new Error('the sign-on was not begun by the login page')
    const until = clock() + flowMs
    const { url, asked } = await provider.begin(`${originOf(request)}${signOnPath}/back`)
    return { url, flow: { ...asked, redirect: redirect.slice(0, 1_000), bind, until } }
  }

  function flowOf(request: FastifyRequest): Flow | null {
    const sealed = new RegExp(`(?:^|; )${cookieOf(request).name}=([A-Za-z0-9._-]+)`).exec(request.headers.cookie ?? '')?.[1]
    const opened = sealed === undefined ? null : seal.open(sealed)
    const flow = opened === null ? null : (JSON.parse(opened) as Flow)
    return flow !== null && flow.until > clock() ? flow : null
  }
}

const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

/** With TLS a browser takes it from nobody but this host over TLS (`__Host-`, which wants every path); without, it takes no such name. */
const cookieOf = ({ protocol }: FastifyRequest) =>
  protocol === 'https'
    ? { name: '__Host-linewarden_signon', where: 'Path=/; Secure' }
    : { name: 'linewarden_signon', where: `Path=${signOnPath}` }

/** Lax: it must come along when the provider sends the browser back. */
function cookie(request: FastifyRequest, value: string, ms: number): string {
  const { name, where } = cookieOf(request)
  return `${name}=${value}; ${where}; Max-Age=${ms / 1000}; HttpOnly; SameSite=Lax`
}

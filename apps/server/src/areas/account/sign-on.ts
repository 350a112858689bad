import { randomBytes } from 'node:crypto'
import { Refusal, signOnPath } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import { isAdministratorAccount } from '@linewarden/rules/account'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import type { Logger } from 'pino'
import type { SignOnConfig } from '../../config.ts'
import type { StoredAccount } from '../../store/account/account.ts'
import { accountByName, bindSignOn } from '../../store/account/account.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { ofAccount } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import { roleByNumber } from '../../store/people/role.ts'
import { md5 } from './passwords.ts'
import type { Accounts } from './service.ts'

const flowMs = 10 * 60_000
const discoverAgainMs = hourMs
const providerSeconds = 10

interface Identity {
  readonly name: string
  /** Issuer and subject: never given to anybody else there, as names are. */
  readonly lasting: string
}

/** What the browser carries to the provider and back, sealed: nobody else can finish what this browser began. */
interface Flow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirect: string
  /** What the tab keeps that began: without it nobody redeems the ticket. */
  readonly bind: string
  readonly until: number
}

/**
 * Sign-on at the organisation's OpenID Connect provider: code flow with PKCE, state and nonce. It ends in a ticket that the login page turns
 * into a session. The two addresses are gone to by a browser, so they carry no signature; the sealed cookie stands in its place.
 */
export function createSignOn({
  config,
  database,
  accounts,
  clock,
  log,
}: {
  config: SignOnConfig
  database: Database
  accounts: Pick<Accounts, 'sealFor' | 'ticketFor' | 'addAccount' | 'newHash'>
  clock: () => number
  log: Logger
}) {
  const seal = accounts.sealFor('sign-on')
  let found: { readonly at: number; readonly provider: Promise<oidc.Configuration> } | null = null

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
        const account = await accountOf(await identityFrom(request, flow), request.ip)
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
    const flow: Flow = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      redirect: redirect.slice(0, 1_000),
      bind,
      until: clock() + flowMs,
    }
    const url = oidc.buildAuthorizationUrl(await provider(), {
      redirect_uri: `${originOf(request)}${signOnPath}/back`,
      scope: scopes[config.claim] ?? 'openid profile',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return { url, flow }
  }

  /** The value of the configured claim, of whom the provider vouched for, and who that is for ever. */
  async function identityFrom(request: FastifyRequest, flow: Flow): Promise<Identity> {
    const tokens = await oidc.authorizationCodeGrant(await provider(), new URL(originOf(request) + request.url), {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
    const told = tokens.claims()
    if (!told) throw new Error('the provider sent no ID token')
    // Many providers tell only who it is in the token, and the rest where one asks.
    const claims =
      told[config.claim] === undefined ? await oidc.fetchUserInfo(await provider(), tokens.access_token, told.sub) : told
    const { [config.claim]: name, [`${config.claim}_verified`]: verified } = claims as Record<string, unknown>
    if (typeof name !== 'string' || name.trim() === '') throw new Error(`the provider tells no ${config.claim}`)
    // What people write about themselves proves nothing.
    if (mustBeVerified.includes(config.claim) && verified !== true) throw new Error(`${config.claim} is not verified`)
    const plain = config.claim === 'phone_number' ? name.replace(/^\+86|[\s-]/g, '') : name.trim()
    return { name: plain, lasting: `${told.iss} ${told.sub}` }
  }

  /** The account of that name, if it may come in this way; null when there is none. Nobody who runs the installation does. */
  async function accountOf({ name, lasting }: Identity, address: string): Promise<Pick<StoredAccount, 'accountId'> | null> {
    // Other letters may look like these, or become them in lower case.
    const isPlain = /^[\x21-\x7e]{1,64}$/.test(name)
    const account = isPlain ? ((await accountByName(database.control, name)) ?? (await made(name))) : null
    const refuse = async (why: string) => {
      const told = name.slice(0, 64)
      const entry = { at: clock(), actor: told, address, action: 'login.signon', ...ofAccount(told), outcome: 'refused' } as const
      await appendRefusal(database.control, { ...entry, after: { why } })
      return null
    }
    if (!account) return refuse(isPlain ? 'no such account' : 'no plain name')
    if (account.kind === 'platform') return refuse('platform administrator')
    return (await bindSignOn(database.control, account.accountId, lasting)) ? account : refuse('another identity')
  }

  async function made(name: string): Promise<Pick<StoredAccount, 'accountId' | 'kind'> | null> {
    if (!config.create || !isAdministratorAccount(name)) return null
    const owner = await accountByName(database.control, config.create.owner)
    const role = owner?.kind === 'project' ? await roleByNumber(database, config.create.role, owner.accountId) : undefined
    if (!owner || !role) {
      log.warn('LINEWARDEN_OIDC_CREATE names no project administrator with such a role: no account was made')
      return null
    }
    const account = {
      userName: name,
      nickName: name,
      kind: 'sub' as const,
      roleId: role.roleId,
      ownerId: owner.accountId,
      // Nobody knows it: this account comes in by its provider until somebody sets a password.
      passwordHash: await accounts.newHash(md5(randomBytes(32).toString('hex')), name, owner.accountId),
      controlHash: null,
      projectIds: [],
    }
    const audit = {
      at: clock(),
      actor: owner.userName,
      address: '',
      action: 'account.create',
      ...ofAccount(name),
      outcome: 'done',
    } as const
    try {
      return { accountId: await accounts.addAccount(account, audit), kind: 'sub' }
    } catch (error) {
      // It is there after all: disabled, or made in this very moment by a second tab.
      if (error instanceof Refusal) return null
      throw error
    }
  }

  /** What the provider says of itself, asked again after an hour or a failure. */
  function provider(): Promise<oidc.Configuration> {
    if (found === null || clock() - found.at > discoverAgainMs) found = { at: clock(), provider: discover() }
    const { provider: asked } = found
    asked.catch(() => {
      if (found?.provider === asked) found = null
    })
    return asked
  }

  function discover(): Promise<oidc.Configuration> {
    const issuer = new URL(config.issuer)
    // The configuration lets plain http through for this machine alone.
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
    return oidc.discovery(issuer, config.clientId, config.clientSecret, undefined, { execute, timeout: providerSeconds })
  }

  function flowOf(request: FastifyRequest): Flow | null {
    const sealed = new RegExp(`(?:^|; )${cookieOf(request).name}=([A-Za-z0-9._-]+)`).exec(request.headers.cookie ?? '')?.[1]
    const opened = sealed === undefined ? null : seal.open(sealed)
    const flow = opened === null ? null : (JSON.parse(opened) as Flow)
    return flow !== null && flow.until > clock() ? flow : null
  }
}

const mustBeVerified: readonly string[] = ['email', 'phone_number']
const scopes: Readonly<Record<string, string>> = { email: 'openid email', phone_number: 'openid phone', sub: 'openid' }

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

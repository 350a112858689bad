import { hourMs } from '@linewarden/equipment'
import * as oidc from 'openid-client'
import type { SignOnConfig } from '../../config.ts'

const discoverAgainMs = hourMs
const providerSeconds = 10
const mustBeVerified: readonly string[] = ['email', 'phone_number']
const scopes: Readonly<Record<string, string>> = { email: 'openid email', phone_number: 'openid phone', sub: 'openid' }

/** Of whom the provider vouched for. */
export interface Identity {
  readonly name: string
  /** Issuer and subject: never given to anybody else there, as names are. */
  readonly lasting: string
}

/** What was asked for in a browser's name, and what the provider's answer is held against. */
export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

interface Deps {
  readonly config: SignOnConfig
  readonly clock: () => number
}

/** The organisation's OpenID Connect provider: code flow with PKCE, state and nonce. */
export class SignOnProvider {
  readonly #config: SignOnConfig
  readonly #clock: () => number
  #found: { readonly at: number; readonly provider: Promise<oidc.Configuration> } | null = null

  constructor({ config, clock }: Deps) {
    this.#config = config
    this.#clock = clock
  }

  /** Where a browser goes to sign in; it comes back to `redirectUri`. */
  async begin(redirectUri: string): Promise<{ url: URL; asked: AuthorizationRequest }> {
    const asked: AuthorizationRequest = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    }
    const url = oidc.buildAuthorizationUrl(await this.#provider(), {
      redirect_uri: redirectUri,
      scope: scopes[this.#config.claim] ?? 'openid profile',
      state: asked.state,
      nonce: asked.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(asked.verifier),
      code_challenge_method: 'S256',
    })
    return { url, asked }
  }

  /** The value of the configured claim, of whom the provider vouched for, and who that is for ever. */
  async identityFrom(answer: URL, asked: AuthorizationRequest): Promise<Identity> {
    const { claim } = this.#config
    const tokens = await oidc.authorizationCodeGrant(await this.#provider(), answer, {
      pkceCodeVerifier: asked.verifier,
      expectedState: asked.state,
      expectedNonce: asked.nonce,
      idTokenExpected: true,
    })
    const idClaims = tokens.claims()
    if (!idClaims) throw new Error('the provider sent no ID token')
    // Many providers tell only who it is in the token, and the rest where one asks.
    const claims =
      idClaims[claim] === undefined
        ? await oidc.fetchUserInfo(await this.#provider(), tokens.access_token, idClaims.sub)
        : idClaims
    const { [claim]: name, [`${claim}_verified`]: verified } = claims as Record<string, unknown>
    if (typeof name !== 'string' || name.trim() === '') throw new Error(`the provider tells no ${claim}`)
    // What people write about themselves proves nothing.
    if (mustBeVerified.includes(claim) && verified !== true) throw new Error(`${claim} is not verified`)
    const plain = claim === 'phone_number' ? name.replace(/^\+86|[\s-]/g, '') : name.trim()
    return { name: plain, lasting: `${idClaims.iss} ${idClaims.sub}` }
  }

  /** What the provider says of itself, asked again after an hour or a failure. */
  #provider(): Promise<oidc.Configuration> {
    const now = this.#clock()
    if (this.#found === null || now - this.#found.at > discoverAgainMs) this.#found = { at: now, provider: this.#discover() }
    const { provider: asked } = this.#found
    asked.catch(() => {
      if (this.#found?.provider === asked) this.#found = null
    })
    return asked
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer: address, clientId, clientSecret } = this.#config
    const issuer = new URL(address)
    // The configuration lets plain http through for this machine alone.
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
    return oidc.discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: providerSeconds })
  }
}

import type { Client } from '@linewarden/client'
import { createClient, md5Hex } from '@linewarden/client'
import type { Reply } from '@linewarden/contract'
import { login, resume } from '@linewarden/contract'
import { byContract } from './by-contract.ts'
import { smallPlan } from './small-plan.ts'
import type { Stack } from './stack.ts'
import { startStack } from './stack.ts'

export type Session = Reply<typeof login>

/** A house whose clock is put ahead at will, and people who sign in to it. */
export class SignInHouse {
  readonly stack: Stack
  readonly #clock: { aheadMs: number }
  #made = 0

  private constructor(stack: Stack, clock: { aheadMs: number }) {
    this.stack = stack
    this.#clock = clock
  }

  static async start(): Promise<SignInHouse> {
    const clock = { aheadMs: 0 }
    const now = () => Date.now() + clock.aheadMs
    return new SignInHouse(await startStack({ plan: smallPlan, clock: now, fleet: { now } }), clock)
  }

  readonly now = (): number => Date.now() + this.#clock.aheadMs

  pass(ms: number): void {
    this.#clock.aheadMs += ms
  }

  nobody(): Client {
    return createClient({ baseUrl: this.stack.url, session: () => null, now: this.now })
  }

  as({ UserID, Token }: Session): Client {
    return byContract(createClient({ baseUrl: this.stack.url, session: () => ({ userId: UserID, token: Token }), now: this.now }))
  }

  /** Somebody new, so that no test meets another's sessions or failures. */
  async person(kind: 'project' | 'platform' = 'project') {
    this.#made += 1
    const userName = `person${this.#made}`
    const password = `Walk-${this.#made}-7391`
    const accountId = await this.stack.server.accounts.createAccount({ userName, password, kind })
    const signIn = (Remember = false) =>
      this.nobody().call(login, { body: { UserName: userName, Password: md5Hex(password), ...(Remember && { Remember }) } })
    return { userName, password, accountId, signIn }
  }

  /** The clock runs ahead here, so that the session the stack began with is over. */
  async admin(): Promise<Client> {
    const { userName, password } = this.stack.admin
    return this.as(await this.nobody().call(login, { body: { UserName: userName, Password: md5Hex(password) } }))
  }

  /** Signs in by a remembered device's handle. */
  takeUp(Handle: string | undefined): Promise<Session> {
    return this.nobody().call(resume, { body: { Handle: Handle ?? '' } })
  }

  close(): Promise<void> {
    return this.stack.close()
  }
}

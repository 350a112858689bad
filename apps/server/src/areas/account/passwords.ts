import { createHash, randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { turnstile } from '../../store/turnstile.ts'

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

// OWASP's recommendation for argon2id: 19 MiB, two passes, one lane.
// argon2id is the library's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Stores and checks passwords in their wire form, the MD5: argon2id over it, with a salt of its own and the server's pepper. */
export class Passwords {
  readonly #pepper: Buffer
  readonly #nobody: Promise<string>
  readonly #ofPeople = turnstile(2)
  readonly #ofStrangers = turnstile(1)

  constructor(pepper: Buffer) {
    this.#pepper = pepper
    this.#nobody = this.hash(md5(String(Math.random())))
  }

  hash(passwordMd5: string): Promise<string> {
    return this.#ofPeople(() => hash(passwordMd5, { ...cost, secret: this.#pepper }))
  }

  /** Of whoever is signed in. An unknown account (null) costs the same time as a wrong password. */
  matches(passwordMd5: string, stored: string | null): Promise<boolean> {
    return this.#ofPeople(() => this.#compare(passwordMd5, stored))
  }

  /** Of whoever wants to sign in: behind them waits nobody who has a breaker to trip. */
  matchesAtSignIn(passwordMd5: string, stored: string | null): Promise<boolean> {
    return this.#ofStrangers(() => this.#compare(passwordMd5, stored))
  }

  async #compare(passwordMd5: string, stored: string | null): Promise<boolean> {
    const right = await verify(stored ?? (await this.#nobody), passwordMd5, { ...cost, secret: this.#pepper })
    return right && stored !== null
  }
}

// No letters or digits that look alike: the first password is read from a terminal and typed.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** A random password of 16 characters, about 93 bits. */
export const randomPassword = (): string => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('')

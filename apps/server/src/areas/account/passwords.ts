import { createHash, randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Semaphore } from '../../lib/serial.ts'
import type { Peppers } from './secrets.ts'
import { Seal, versionOf } from './secrets.ts'

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

// OWASP's recommendation for argon2id: 19 MiB, two passes, one lane.
// argon2id is the library's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** For what purpose hashes of passwords are sealed. */
export const passwordPurpose = 'passwords'

/**
 * Stores and checks passwords in their wire form, the MD5: argon2id over it with a salt of its own, sealed under the server's pepper. So
 * another pepper takes its place without anybody's password. Before there were versions the pepper was the hash's own secret; such ones are
 * still checked, and dated.
 */
export class Passwords {
  readonly #peppers: Peppers
  readonly #seal: Seal
  readonly #nobody: Promise<string>
  readonly #ofPeople = new Semaphore(2)
  readonly #ofUnknownNames = new Semaphore(1)

  constructor(peppers: Peppers) {
    this.#peppers = peppers
    this.#seal = new Seal(peppers, passwordPurpose)
    this.#nobody = this.hash(md5(String(Math.random())))
  }

  async hash(passwordMd5: string): Promise<string> {
    return this.#seal.seal(await this.#ofPeople.run(() => hash(passwordMd5, cost)))
  }

  /** Of whoever is signed in. An unknown account (null) costs the same time as a wrong password. */
  matches(passwordMd5: string, stored: string | null): Promise<boolean> {
    return this.#ofPeople.run(() => this.#compare(passwordMd5, stored))
  }

  /** Of whoever wants to sign in: behind them waits nobody who has a breaker to trip. */
  matchesAtSignIn(passwordMd5: string, stored: string | null): Promise<boolean> {
    return this.#ofUnknownNames.run(() => this.#compare(passwordMd5, stored))
  }

  /** Whether no password can match any more: its pepper is not here. */
  isLost(stored: string): boolean {
    return this.#opened(stored) === null
  }

  /** Whether it should be hashed anew as soon as its password is known: the pepper is still in the hash itself. */
  isDated(stored: string): boolean {
    return isOwnSecret(versionOf(stored)?.rest ?? '')
  }

  async #compare(passwordMd5: string, stored: string | null): Promise<boolean> {
    const known = stored === null ? null : this.#opened(stored)
    const { hashed, secret } = known ?? this.#opened(await this.#nobody) ?? { hashed: '', secret: null }
    const right = await verify(hashed, passwordMd5, { ...cost, ...(secret && { secret }) })
    return right && known !== null
  }

  #opened(stored: string): { hashed: string; secret: Buffer | null } | null {
    const { version, rest } = versionOf(stored) ?? { version: 0, rest: '' }
    if (!isOwnSecret(rest)) {
      const hashed = this.#seal.open(stored)
      return hashed === null ? null : { hashed, secret: null }
    }
    const secret = this.#peppers.of(version)
    return secret && { hashed: rest, secret }
  }
}

const isOwnSecret = (rest: string): boolean => rest.startsWith('$argon2')

// No letters or digits that look alike: the first password is read from a terminal and typed.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** A random password of 16 characters, about 93 bits. */
export const randomPassword = (): string => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('')

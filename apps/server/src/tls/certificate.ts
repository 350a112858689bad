import type { X509Certificate } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import type { Logger } from 'pino'
import type { TlsFiles } from '../config.ts'
import { StartRefusal } from '../start-refusal.ts'
import { type Pair, readPair, usable } from './pair.ts'

/** What a listener with TLS can be given a new certificate by. */
interface Renewable {
  setSecureContext(options: SecureContextOptions): void
}

const dayMs = 86_400_000
/** Renewal by ACME begins thirty days before the end: with fewer than this left it has failed. */
const warnDays = 14

/** A certificate in use and the files it came from. What its listeners have is always a pair that fits and was valid when it was taken. */
export class Certificate {
  readonly #files: TlsFiles
  readonly #clock: () => number
  readonly #log: Logger
  readonly #listeners: Renewable[] = []
  #pair: Pair
  #leaf: X509Certificate
  #refused: string | null = null
  #warnedAt = Number.NEGATIVE_INFINITY

  private constructor(files: TlsFiles, pair: Pair, leaf: X509Certificate, deps: { clock: () => number; log: Logger }) {
    this.#files = files
    this.#pair = pair
    this.#leaf = leaf
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Reads the files. Throws StartRefusal when they cannot be used. */
  static async open(files: TlsFiles, deps: { clock: () => number; log: Logger }): Promise<Certificate> {
    const pair = await readPair(files)
    return new Certificate(files, pair, usable(pair, files, deps.clock()), deps)
  }

  /** What a listener is made with. TLS 1.2 at least, whatever this Node is told; its ciphers are Node's. */
  get options(): SecureContextOptions {
    return { ...this.#pair, minVersion: 'TLSv1.2' }
  }

  /** The server's own certificate, as PEM. */
  get pem(): string {
    return this.#leaf.toString()
  }

  get path(): string {
    return this.#files.cert
  }

  /** The day, of UTC. */
  get endsOn(): string {
    return this.#leaf.validToDate.toISOString().slice(0, 10)
  }

  /** Days until it ends; negative: it has ended. */
  get daysLeft(): number {
    return (this.#leaf.validToDate.getTime() - this.#clock()) / dayMs
  }

  /** Whether it should have been renewed by now. */
  get isEnding(): boolean {
    return this.daysLeft < warnDays
  }

  /** Whether the files hold another pair that cannot be used. */
  get isRefused(): boolean {
    return this.#refused !== null
  }

  /** Gives the listener every later certificate; connections that are open keep what they have. */
  renewing(listener: Renewable): void {
    this.#listeners.push(listener)
  }

  /** Reads the files again. A pair that cannot be used changes nothing, and is told once. */
  async renew(): Promise<void> {
    try {
      const pair = await readPair(this.#files)
      if (pair.cert !== this.#pair.cert || pair.key !== this.#pair.key) this.#take(pair)
      this.#refused = null
    } catch (error) {
      if (!(error instanceof StartRefusal)) throw error
      if (error.readable !== this.#refused)
        this.#log.error(`The new certificate is not used, the one before stays. ${error.readable.replace('\n', ' / ')}`)
      this.#refused = error.readable
    }
    this.#warnOfEnd()
  }

  #take(pair: Pair): void {
    this.#leaf = usable(pair, this.#files, this.#clock())
    this.#pair = pair
    for (const listener of this.#listeners) listener.setSecureContext(this.options)
    this.#log.info({ certificate: this.#files.cert, validTo: this.#leaf.validTo }, 'a new certificate is in use')
  }

  #warnOfEnd(): void {
    if (!this.isEnding || this.#clock() - this.#warnedAt < dayMs) return
    this.#warnedAt = this.#clock()
    this.#log.warn({ certificate: this.#files.cert, validTo: this.#leaf.validTo }, 'the certificate ends soon: renew it')
  }
}

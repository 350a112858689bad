import type { X509Certificate } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import type { Exposure } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Logger } from 'pino'
import type { TlsFiles } from '../config.ts'
import { StartRefusal } from '../lib/start-refusal.ts'
import { fitting, notValid, type Pair, readPair } from './pair.ts'

/** What a listener with TLS can be given a new certificate by. */
interface Renewable {
  setSecureContext(options: SecureContextOptions): void
}

/** Renewal by ACME begins thirty days before the end: with fewer than this left it has failed. */
const warnDays = 14

/** A certificate in use and the files it came from. What its listeners have is always a pair that fits, and the valid one where there is one. */
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

  /** Reads the files. Throws StartRefusal when TLS cannot be spoken with them; a date alone leaves no plant unwatched. */
  static async open(files: TlsFiles, deps: { clock: () => number; log: Logger }): Promise<Certificate> {
    const pair = await readPair(files)
    return new Certificate(files, pair, fitting(pair, files), deps)
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

  /** Why what is in use is not valid now, as this machine's clock goes; null: it is. */
  get notValid(): Exposure['Said'] | null {
    return notValid(this.#leaf, this.#files.cert, this.#clock())
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
    this.#warn()
  }

  #take(pair: Pair): void {
    const leaf = fitting(pair, this.#files)
    const why = notValid(leaf, this.#files.cert, this.#clock())
    if (why && !this.notValid) throw new StartRefusal('certificate', why)
    this.#leaf = leaf
    this.#pair = pair
    for (const listener of this.#listeners) listener.setSecureContext(this.options)
    this.#log.info({ certificate: this.#files.cert, validTo: this.#leaf.validTo }, 'a new certificate is in use')
  }

  /** Once a day, also by a clock that was set back. */
  #warn(): void {
    const why = this.notValid
    if (!(why || this.isEnding) || Math.abs(this.#clock() - this.#warnedAt) < dayMs) return
    this.#warnedAt = this.#clock()
    const facts = { certificate: this.#files.cert, validTo: this.#leaf.validTo }
    if (why) this.#log.error(facts, `The certificate in use is not valid now. ${why.en} / ${why.zh}`)
    else this.#log.warn(facts, 'the certificate ends soon: renew it')
  }
}

import { Loop } from '../../lib/every.ts'
import type { FindingStep } from '../../store/warning/finding-write.ts'
import { storeFindings } from '../../store/warning/finding-write.ts'
import { showFindings } from './finding-draft.ts'
import type { NightlyDeps } from './nightly.ts'

const everyMs = 1_000
/** Steps of one transaction. */
const maxAtOnce = 200

/**
 * What live detectors find, stored in the order in which it was found. While the database is away it waits; said twice, or by two servers, it
 * is one event.
 */
export class FindingBook {
  readonly #deps: NightlyDeps
  readonly #steps: FindingStep[] = []
  readonly #writing: Loop

  constructor(deps: NightlyDeps) {
    this.#deps = deps
    this.#writing = new Loop(everyMs, () => this.#write(), {
      log: deps.log,
      failed: 'findings of early warning could not be stored; it is tried again',
      unref: true,
    }).start()
  }

  /** It is stored at once where nothing else is being stored. */
  add(step: FindingStep): void {
    this.#steps.push(step)
    if (this.#steps.length === 1) setImmediate(this.#writing.tick)
  }

  /** Stores everything that was found so far; runs by itself. */
  readonly write = (): Promise<void> => this.#writing.tick()

  async close(): Promise<void> {
    await this.#writing.close()
    await this.#writing.tick()
  }

  async #write(): Promise<void> {
    if (this.#steps.length === 0) return
    const { database, clock, log } = this.#deps
    let atOnce = maxAtOnce
    const client = await database.connect()
    try {
      while (this.#steps.length > 0) {
        const steps = this.#steps.slice(0, atOnce)
        try {
          const stored = await storeFindings(client, steps, clock())
          this.#steps.splice(0, steps.length)
          showFindings(this.#deps, stored)
        } catch (error) {
          if (!isRefused(error)) throw error
          // One that can never be stored, as of a line that was taken out meanwhile, must keep back no other: it is found by itself.
          if (atOnce === 1) {
            const [refused] = this.#steps.splice(0, 1)
            log.error({ err: error, key: refused?.draft.key }, 'a finding of early warning cannot be stored')
          }
          atOnce = 1
        }
      }
    } finally {
      await client.end()
    }
  }
}

/** The database takes it never: its data are wrong (class 22), or break a rule (class 23). */
const isRefused = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && /^2[23]/.test(String(error.code))

import { aboutRun, Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Loop } from '../../lib/every.ts'
import { every } from '../../lib/every.ts'
import { Mutex } from '../../lib/serial.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredRun } from '../../store/control/run.ts'
import type { RunEnd } from '../../store/control/run-life.ts'
import { endRun } from '../../store/control/run-life.ts'
import type { Database } from '../../store/core/database.ts'
import { targetOf } from './gate.ts'
import { wordOf } from './run-records.ts'

/** How a group operation is meant to end. */
interface Ending {
  meant: RunEnd
  /** While it is being stored: whoever means the same meanwhile waits for that, and not with a connection of their own. */
  storing: Promise<void> | null
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly runner: Pick<Runner, 'letGo'>
  /** Tells whoever watches how it stands now. */
  readonly tell: (runId: string) => Promise<void>
  readonly clock: () => number
  readonly log: Logger
}

const tryAgainMs = 5_000

/** How group operations are meant to end, until that is stored; what could not be stored is tried again every few seconds. */
export class RunEnds {
  readonly #deps: Deps
  readonly #endings = new Map<string, Ending>()
  /** However many end at once, a trip finds a connection. */
  readonly #storing = new Mutex()
  readonly #loop: Loop

  constructor(deps: Deps) {
    this.#deps = deps
    const failed = 'looking after group operations failed; it is tried again'
    this.#loop = every(tryAgainMs, () => this.#storeAll(), { log: deps.log, failed, spaced: true })
  }

  isEnding(runId: string): boolean {
    return this.#endings.has(runId)
  }

  /**
   * What is meant first counts, and is kept until it is stored: nobody's stop becomes a miss because the database was away. What a person says
   * counts more than that it was missed.
   */
  end(runId: string, meant: RunEnd): Promise<void> {
    const ending = this.#endings.get(runId) ?? { meant, storing: null }
    this.#endings.set(runId, ending)
    if (meant.rest === 'stopped' && ending.meant.rest === 'missed') ending.meant = meant
    ending.storing ??= this.#storing
      .run(() => endRun(this.#deps.database, runId, ending.meant))
      .then(() => {
        this.#endings.delete(runId)
        this.#deps.runner.letGo(runId)
      })
      .finally(() => {
        ending.storing = null
      })
    return ending.storing
  }

  async endOrLater(runId: string, meant: RunEnd): Promise<void> {
    await this.end(runId, meant).catch((error) =>
      this.#deps.log.error({ err: error, run: runId }, 'the end of a group operation could not be stored; it is tried again'),
    )
  }

  /** Lines that had no turn are missed; the log names them. */
  missed({ id, action, actor }: Pick<StoredRun, 'id' | 'action' | 'actor'>): RunEnd {
    const { plant, clock } = this.#deps
    const at = clock()
    const tenantOf = (lineId: number) => {
      const line = plant.lines.get(lineId)
      return line ? tenantOfLine(line) : null
    }
    const nameOf = (lineId: number) => {
      const line = plant.lines.get(lineId)
      return line ? targetOf(line) : `line ${lineId}`
    }
    return {
      rest: 'missed',
      at,
      stoppedBy: null,
      whenRevoked: wordOf(new Refusal('run sign-in ended')),
      // Each owner reads of their own lines.
      audits: (lineIds, refusal) =>
        [...Map.groupBy(lineIds, tenantOf)].map(([tenant, own]) => ({
          ...by({ userName: actor, address: '' }, at, `run.${action}`, tenant),
          subject: aboutRun(id),
          after: { missed: own.map(nameOf), ...(refusal && { refusal: refusal.key }) },
          outcome: 'refused',
        })),
    }
  }

  /** Tries what could not be stored; runs by itself every few seconds. */
  readonly sweep = (): Promise<void> => this.#loop.tick()

  async close(): Promise<void> {
    await this.#loop.close()
    await this.#storeAll()
  }

  async #storeAll(): Promise<void> {
    for (const [runId, { meant, storing }] of this.#endings) {
      // Whoever is storing it hears how that went, and tells.
      if (storing) await storing.catch(() => {})
      else {
        await this.endOrLater(runId, meant)
        await this.#deps.tell(runId)
      }
    }
  }
}

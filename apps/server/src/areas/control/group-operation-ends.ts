import { aboutGroupOperation, Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Loop } from '../../lib/every.ts'
import { every } from '../../lib/every.ts'
import { Mutex } from '../../lib/serial.ts'
import type { Plant } from '../../plant/plant.ts'
import type { GroupOperation } from '../../store/control/group-operation.ts'
import type { GroupOperationEnd } from '../../store/control/group-operation-life.ts'
import { endGroupOperation } from '../../store/control/group-operation-life.ts'
import type { Database } from '../../store/core/database.ts'
import { targetOf } from './gate.ts'
import { wordOf } from './group-operation-records.ts'

/** How a group operation is meant to end. */
interface Ending {
  meant: GroupOperationEnd
  /** While it is being stored: whoever means the same meanwhile waits for that, and not with a connection of their own. */
  storing: Promise<void> | null
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly runner: Pick<Runner, 'letGo'>
  /** Tells whoever watches how it stands now. */
  readonly publish: (operationId: string) => Promise<void>
  readonly clock: () => number
  readonly log: Logger
}

const tryAgainMs = 5_000

/** How group operations are meant to end, until that is stored; what could not be stored is tried again every few seconds. */
export class GroupOperationEnds {
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

  isEnding(operationId: string): boolean {
    return this.#endings.has(operationId)
  }

  /**
   * What is meant first counts, and is kept until it is stored: nobody's stop becomes a miss because the database was away. What a person says
   * counts more than that it was missed.
   */
  end(operationId: string, meant: GroupOperationEnd): Promise<void> {
    const ending = this.#endings.get(operationId) ?? { meant, storing: null }
    this.#endings.set(operationId, ending)
    if (meant.rest === 'stopped' && ending.meant.rest === 'missed') ending.meant = meant
    ending.storing ??= this.#storing
      .run(() => endGroupOperation(this.#deps.database, operationId, ending.meant))
      .then(() => {
        this.#endings.delete(operationId)
        this.#deps.runner.letGo(operationId)
      })
      .finally(() => {
        ending.storing = null
      })
    return ending.storing
  }

  async endOrLater(operationId: string, meant: GroupOperationEnd): Promise<void> {
    await this.end(operationId, meant).catch((error) =>
      this.#deps.log.error(
        { err: error, operation: operationId },
        'the end of a group operation could not be stored; it is tried again',
      ),
    )
  }

  /** Lines that had no turn are missed; the log names them. */
  missed({ id, action, actor }: Pick<GroupOperation, 'id' | 'action' | 'actor'>): GroupOperationEnd {
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
          subject: aboutGroupOperation(id),
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
    for (const [operationId, { meant, storing }] of this.#endings) {
      // Whoever is storing it hears how that went, and tells.
      if (storing) await storing.catch(() => {})
      else {
        await this.endOrLater(operationId, meant)
        await this.#deps.publish(operationId)
      }
    }
  }
}

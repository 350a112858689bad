import { setTimeout as pause } from 'node:timers/promises'
import type { PlantGateway } from '../../plant/plant.ts'
import { keptLinkages } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { adoptKept } from './linkage-state.ts'

const retryMs = 250

interface Options {
  readonly live: ReadonlyMap<number, LiveLinkage>
  readonly closing: AbortSignal
  /** What is stored of linkages that read these is known by now. */
  readonly joined: (gateways: ReadonlySet<PlantGateway>) => void
}

/**
 * Gateways that come over from another server: here they are remembered as they were when they left. What is stored of the linkages that read them
 * is read before anything that they say.
 */
export class LinkageHandovers {
  readonly #deps: Pick<AutomationDeps, 'database' | 'log'>
  readonly #options: Options
  /** By gateway the session in which it was joined last. */
  readonly #joined = new Map<PlantGateway, string>()
  /** By gateway when it said something first, Unix ms. */
  readonly #waiting = new Map<PlantGateway, number>()
  #underWay: Promise<void> | null = null

  constructor(deps: Pick<AutomationDeps, 'database' | 'log'>, options: Options) {
    this.#deps = deps
    this.#options = options
  }

  isJoined(gateway: PlantGateway): boolean {
    return this.#joined.get(gateway) === sessionOf(gateway)
  }

  /** `at`: when what it says came, Unix ms. Resolves when it is known what is stored. */
  join(gateway: PlantGateway, at: number): Promise<void> {
    if (!this.#waiting.has(gateway)) this.#waiting.set(gateway, at)
    this.#underWay ??= this.#readAll().finally(() => {
      this.#underWay = null
    })
    return this.#underWay
  }

  async #readAll(): Promise<void> {
    const { closing, joined } = this.#options
    while (this.#waiting.size > 0 && !closing.aborted) {
      const sessions = [...this.#waiting].map(([gateway, at]) => ({ gateway, at, session: sessionOf(gateway) }))
      try {
        await this.#read(
          new Set(sessions.map(({ gateway }) => gateway)),
          sessions.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY) - 1,
        )
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'what is stored of linkages could not be read; it is tried again')
        await pause(retryMs, undefined, { signal: closing }).catch(() => {})
        continue
      }
      for (const { gateway, session } of sessions) {
        this.#joined.set(gateway, session)
        this.#waiting.delete(gateway)
      }
      joined(new Set(sessions.map(({ gateway }) => gateway)))
    }
  }

  async #read(gateways: ReadonlySet<PlantGateway>, latest: number): Promise<void> {
    const { live } = this.#options
    const ids = [...live.values()].flatMap(({ linkage, lines }) =>
      lines.some((line) => line && gateways.has(line.device.gateway)) ? linkage.linkageId : [],
    )
    for (const kept of (await keptLinkages(this.#deps.database.control, ids)).values()) {
      const own = live.get(kept.linkageId)
      if (own) adoptKept(own, kept, latest)
    }
  }
}

/** It changes whenever a gateway comes back: another server may have had it in between. */
const sessionOf = ({ linkSince, bdSeq }: PlantGateway): string => `${linkSince} ${bdSeq}`

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
  readonly #deps: Pick<AutomationDeps, 'database' | 'clock' | 'log'>
  readonly #options: Options
  /** By gateway the session in which it was joined last. */
  readonly #joined = new Map<PlantGateway, Session>()
  readonly #waiting = new Set<PlantGateway>()
  #underWay: Promise<void> | null = null

  constructor(deps: Pick<AutomationDeps, 'database' | 'clock' | 'log'>, options: Options) {
    this.#deps = deps
    this.#options = options
  }

  isJoined(gateway: PlantGateway): boolean {
    const session = this.#joined.get(gateway)
    return session !== undefined && session.linkSince === gateway.linkSince && session.bdSeq === gateway.bdSeq
  }

  /** Resolves when it is known what is stored. */
  join(gateway: PlantGateway): Promise<void> {
    this.#waiting.add(gateway)
    this.#underWay ??= this.#readAll().finally(() => {
      this.#underWay = null
    })
    return this.#underWay
  }

  async #readAll(): Promise<void> {
    const { closing, joined } = this.#options
    while (this.#waiting.size > 0 && !closing.aborted) {
      const sessions = new Map([...this.#waiting].map((gateway) => [gateway, sessionOf(gateway)]))
      try {
        await this.#read(sessions)
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'what is stored of linkages could not be read; it is tried again')
        await pause(retryMs, undefined, { signal: closing }).catch(() => {})
        continue
      }
      for (const [gateway, session] of sessions) {
        this.#joined.set(gateway, session)
        this.#waiting.delete(gateway)
      }
      joined(new Set(sessions.keys()))
    }
  }

  async #read(come: ReadonlyMap<PlantGateway, Session>): Promise<void> {
    const { database, clock } = this.#deps
    const { live } = this.#options
    const gatewaysOf = ({ lines }: LiveLinkage) =>
      lines.flatMap((line) => (line && come.has(line.device.gateway) ? line.device.gateway : []))
    const ids = [...live.values()].flatMap((own) => (gatewaysOf(own).length > 0 ? own.linkage.linkageId : []))
    if (ids.length === 0) return
    const stored = await keptLinkages(database.control, ids)
    for (const kept of stored.values()) {
      const own = live.get(kept.linkageId)
      if (!own) continue
      // Since they are here nobody else has observed them.
      const since = gatewaysOf(own).map(({ link, linkSince }) => (link === 'online' ? linkSince : null) ?? clock())
      adoptKept(own, kept, Math.max(...since) - 1)
    }
  }
}

/** It changes whenever a gateway comes back: another server may have had it in between. */
type Session = Pick<PlantGateway, 'linkSince' | 'bdSeq'>

const sessionOf = ({ linkSince, bdSeq }: PlantGateway): Session => ({ linkSince, bdSeq })

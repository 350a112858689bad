import type { Reclosing } from '@linewarden/rules/control'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredReclosure } from '../../store/control/reclosure.ts'
import * as stored from '../../store/control/reclosure.ts'
import type { Database } from '../../store/core/database.ts'
import { minStaggerMs } from './stagger.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
}

/** How often tries are looked after that are due. */
export const tickEveryMs = 500
/** Tries of one project are planned this far apart: the minimum stagger and a tick, so that none waits itself late. */
const apartMs = minStaggerMs + tickEveryMs

/** Where each line stands with its tries: as it is stored, and as this server knows it. */
export class ReclosureStates {
  readonly #deps: Deps
  readonly #known: Map<number, StoredReclosure>

  constructor(deps: Deps, all: readonly StoredReclosure[]) {
    this.#deps = deps
    this.#known = new Map(all.map((each) => [each.lineId, each] as const))
  }

  static async load(deps: Deps): Promise<ReclosureStates> {
    return new ReclosureStates(deps, await stored.allReclosures(deps.database))
  }

  all(): Iterable<StoredReclosure> {
    return this.#known.values()
  }

  of(lineId: number): StoredReclosure | undefined {
    return this.#known.get(lineId)
  }

  /** What somebody has set, after it was stored. */
  know(saved: StoredReclosure): void {
    this.#known.set(saved.lineId, saved)
  }

  async reload(lineId: number): Promise<StoredReclosure | null> {
    const setting = await stored.reclosureOfLine(this.#deps.database, lineId)
    if (setting) this.know(setting)
    return setting
  }

  /** What happened to a line, added to what is stored of it: of two servers the second adds it to what the first has stored. */
  async step(lineId: number, next: (setting: StoredReclosure) => Reclosing | null): Promise<void> {
    for (;;) {
      const setting = await this.reload(lineId)
      const state = setting && next(setting)
      if (!setting || !state || (await this.move(setting, state))) return
    }
  }

  /** Stored first, then known, and only over what it was made of. Null: something else stands there by now, and is known from here on. */
  async move(before: StoredReclosure, state: Reclosing, begun: Partial<StoredReclosure> = {}): Promise<StoredReclosure | null> {
    const { database, plant, hub } = this.#deps
    const { lineId } = before
    const line = plant.lines.get(lineId)
    const nextAt = line && state.nextAt !== null ? this.#freeMoment(line, state.nextAt) : state.nextAt
    const next: StoredReclosure = { ...before, ...begun, state: { ...state, nextAt } }
    const isStored = await stored.saveReclosing(database, next, before)
    if (isStored) this.know(next)
    else await this.reload(lineId)
    if (line) hub.publish({ lines: [line] })
    return isStored ? next : null
  }

  /** A disturbance opens many lines at once: their tries follow one another. */
  #freeMoment({ id, device }: PlantLine, wanted: number): number {
    const { plant } = this.#deps
    const { project } = device.gateway
    const taken = [...this.#known.values()]
      .flatMap(({ lineId, state }) =>
        state.nextAt !== null && lineId !== id && plant.lines.get(lineId)?.device.gateway.project === project ? state.nextAt : [],
      )
      .sort((a, b) => a - b)
    return taken.reduce((free, each) => (Math.abs(each - free) < apartMs ? each + apartMs : free), wanted)
  }
}

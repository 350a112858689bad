import type { ProjectQuietHours } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { quietUntil } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import type { StoredQuietHours } from '../../store/control/detection.ts'
import { quietHoursOfAll, saveQuietHours } from '../../store/control/detection.ts'
import type { Database } from '../../store/core/database.ts'

interface Deps {
  readonly database: Database
  readonly clock: () => number
}

const none = { windows: [], version: 1 }

/** Quiet hours of projects, in which no test may cut the supply. */
export class QuietHours {
  readonly #deps: Deps
  readonly #known: Map<number, StoredQuietHours>

  constructor(deps: Deps, known: Map<number, StoredQuietHours>) {
    this.#deps = deps
    this.#known = known
  }

  static async load(deps: Deps): Promise<QuietHours> {
    return new QuietHours(deps, await quietHoursOfAll(deps.database))
  }

  /** When quiet hours end that run now where this line stands; null when none run. */
  until({ device }: PlantLine, now: number): number | null {
    const { project } = device.gateway
    return quietUntil(this.#stored(project).windows, project.timeZone, now)
  }

  of(project: PlantProject): ProjectQuietHours {
    const { windows, version } = this.#stored(project)
    return {
      Windows: windows.map(({ days, fromMinute, toMinute }) => ({ Days: days, FromMinute: fromMinute, ToMinute: toMinute })),
      Version: version,
    }
  }

  async set(actor: Actor, project: PlantProject, { Windows, Version }: ProjectQuietHours): Promise<ProjectQuietHours> {
    const { database, clock } = this.#deps
    const windows = Windows.map(({ Days, FromMinute, ToMinute }) => ({
      days: Days,
      fromMinute: FromMinute,
      toMinute: ToMinute,
    }))
    const saved = await saveQuietHours(
      database,
      project.id,
      { windows, version: Version },
      {
        ...by(actor, clock(), 'quietHours.set', project.ownerId),
        subject: about('project', project.id),
        target: project.name,
        before: this.#stored(project).windows,
        after: windows,
      },
    )
    if (!saved) throw new Refusal('changed meanwhile')
    this.#known.set(project.id, saved)
    return this.of(project)
  }

  #stored(project: PlantProject): StoredQuietHours {
    return this.#known.get(project.id) ?? none
  }
}

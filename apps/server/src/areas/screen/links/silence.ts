import { silentSince } from '@linewarden/rules/screen'
import { Loop } from '../../../lib/every.ts'
import type { PlantGateway } from '../../../plant/plant.ts'
import type { EventDraft } from '../../../store/ingest/batch.ts'
import type { SilentLink } from '../../../store/screen/silent.ts'
import { linksSilentSince, openSilences } from '../../../store/screen/silent.ts'
import { alarmCatalogue } from '../../alarm/alarm-catalogue.ts'
import type { Background, Core } from '../../server-area.ts'
import { projectsShown } from './link-scope.ts'

const silentKey = 'screen.silent'
const everyMs = 10_000

type Deps = Pick<Core, 'database' | 'plant' | 'ingest' | 'clock'>

/** A dark wall is a fault: nobody stands before it who would say so. It returns when the wall is heard, or its place is given up. */
export function createSilence({ database, plant, ingest, clock }: Deps) {
  // While this server was not there, no wall could say anything to it.
  const began = clock()
  return {
    async look(): Promise<void> {
      const now = clock()
      const since = silentSince(began, now)
      if (since === null) return
      const silent = new Map((await linksSilentSince(database, since, now)).map((link) => [pointOf(link), link]))
      const open = await openSilences(database, silentKey)
      for (const [point, gatewayId] of open) {
        const gateway = silent.has(point) ? undefined : plant.gateways.get(gatewayId)
        if (gateway) note('return', gateway, point, '')
      }
      for (const [point, link] of silent) {
        const gateway = open.has(point) ? undefined : gatewayOf(link)
        if (gateway) note('raise', gateway, point, link.name)
      }
    },
  }

  /** Whoever sees this gateway is told of it. */
  function gatewayOf(link: SilentLink): PlantGateway | undefined {
    const projects = new Set(projectsShown(plant, link))
    return [...plant.gateways.values()].find(({ project }) => projects.has(project.id))
  }

  function note(act: EventDraft['act'], gateway: PlantGateway, point: string, name: string): void {
    const known = alarmCatalogue().get(silentKey)
    if (!known) throw new Error(`${silentKey} is no alarm`)
    const { kind, priority, key, label } = known
    ingest.note({
      ...{ act, kind, priority, key, gateway, point, at: clock(), historical: false },
      label: { zh: `${label.zh}：${name}`, en: `${label.en}: ${name}` },
      ...{ value: null, limit: null, unit: '', line: null },
    })
  }
}

/** Each link has an event of its own. */
const pointOf = ({ link_id }: SilentLink): string => `screen:${link_id}`

/** Told within 150 seconds after the last beat. */
export function startSilence(core: Deps & Pick<Core, 'log'>): Background {
  const silence = createSilence(core)
  const failed = 'walls that are silent could not be looked for; it is tried again'
  const loop = new Loop(everyMs, () => silence.look(), { log: core.log, failed, unref: true }).start()
  return { done: Promise.resolve(), close: () => loop.close() }
}

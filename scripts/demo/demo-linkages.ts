import { about } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { minuteMs } from '@linewarden/equipment'
import type { ActiveHours } from '@linewarden/rules/automation'
import type { Server } from '@linewarden/server/compose'
import type { GatewayPlan, PastReaction } from '@linewarden/simulator'
import type { LinkageTrace } from '../../apps/server/src/areas/automation/linkage-trace.ts'
import { traceOf } from '../../apps/server/src/areas/automation/linkage-trace.ts'
import { namedUuid } from '../../apps/server/src/lib/named-uuid.ts'
import type { Plant, PlantLine } from '../../apps/server/src/plant/plant.ts'
import type { StoredCondition, StoredLinkage } from '../../apps/server/src/store/automation/linkage.ts'
import { linkagesOf } from '../../apps/server/src/store/automation/linkage.ts'
import { insertLinkage } from '../../apps/server/src/store/automation/linkage-write.ts'
import type { Person } from './past-records.ts'

/** A linkage of the demo, as its templates make them; lines are `device/number`, 0 a detector. */
interface DemoLinkage {
  readonly name: string
  readonly mode: 'live' | 'shadow'
  readonly reads: { readonly line: string } & Pick<StoredCondition, 'kind' | 'key' | 'op' | 'value' | 'release' | 'forS'>
  readonly hours?: readonly ActiveHours[]
  readonly does: 'trip' | 'raise'
  readonly lines: readonly string[]
}

const alarm = (line: string, key: string): DemoLinkage['reads'] => ({
  ...{ line, kind: 'alarm', key, op: '=', value: 1, release: 0, forS: 0 },
})

const linkages: readonly DemoLinkage[] = [
  {
    ...{ name: '2层烟感联动断电', mode: 'live', reads: alarm('BJ02-Y1/0', 'smoke.alarm'), does: 'trip' },
    lines: ['BJ02-S1/3', 'BJ02-S1/4', 'BJ02-T1/2'],
  },
  {
    ...{ name: '冷水机组漏水断电', mode: 'live', reads: alarm('BJ06-W1/0', 'water'), does: 'trip' },
    lines: ['BJ06-S1/2'],
  },
  {
    ...{ name: '充电桩 1# 过温断电', mode: 'live', reads: alarm('WH06-T1/2', 'temperature.alarm'), does: 'trip' },
    lines: ['WH06-T1/2'],
  },
  {
    ...{ name: '3层插座过流断电', mode: 'shadow', reads: alarm('BJ03-S1/3', 'current.alarm'), does: 'trip' },
    lines: ['BJ03-S1/3'],
  },
  {
    ...{ name: '3层办公区下班后用电', mode: 'shadow', does: 'raise', lines: ['BJ03-T1/3'] },
    reads: { line: 'BJ03-T1/3', kind: 'point', key: 'current.a', op: '>', value: 6.3, release: 0.3, forS: 60 },
    hours: [{ days: 0b0011111, from: '20:00', to: '07:00' }],
  },
]

/** What the command history says of an order of a linkage. */
const reasonOf = (name: string): Text => ({ zh: `联动「${name}」`, en: `Linkage “${name}”` })

/** What the linkages of a gateway's lines did in its past: they trip at the alarm, as they would have then. */
export const reactionsOf = ({ devices }: GatewayPlan): readonly PastReaction[] =>
  linkages.flatMap(({ name, mode, reads, does, lines }): PastReaction[] => {
    const [controllerId = '', lineNo] = reads.line.split('/')
    if (mode !== 'live' || does !== 'trip' || !devices.some((device) => device.controllerId === controllerId)) return []
    return [{ controllerId, lineNo: Number(lineNo), key: reads.key, trips: lines, reason: reasonOf(name) }]
  })

/** Linkages of the demo as they are stored, by what the command history says of their orders. */
export type DemoLinkages = ReadonlyMap<string, StoredLinkage>

const lineAt = (plant: Plant, place: string): PlantLine | null => {
  const [controllerId = '', lineNo] = place.split('/')
  return plant.lineAt(controllerId, Number(lineNo))
}

/** Adds those whose lines are there, as somebody set them up. One that a start has left that was ended is there already. */
export async function addLinkages(
  { database, plant }: Pick<Server, 'database' | 'plant'>,
  { accountId, userName }: Person,
  at: number,
): Promise<DemoLinkages> {
  for (const { name, mode, reads, hours = [], does, lines: places } of linkages) {
    const { line: place, ...condition } = reads
    const read = lineAt(plant, place)
    if (!read) continue
    const project = read.device.gateway.project
    const lines = places.flatMap((each) => lineAt(plant, each) ?? [])
    const audit = { at, actor: userName, address: '', tenant: project.ownerId, outcome: 'done' } as const
    await insertLinkage(
      database,
      {
        ...{ name, mode, enabled: true, match: 'all', activeHours: hours, cooldownS: 300, maxPerHour: 6, maxPerDay: 24 },
        ...{ mayClose: false, conditions: [{ ...condition, lineId: read.id }], projectId: project.id, most: 100 },
        actions: lines.map(({ id }) => ({ kind: does, lineId: id, sceneId: null, order: null, delayS: 0 })),
        ...{ owner: { accountId, name: userName }, check: () => {} },
      },
      { ...audit, action: 'linkage.add', subject: about('project', project.id), after: { name } },
    )
  }
  const stored = await linkagesOf(database.general, null)
  return new Map(stored.map((each) => [reasonOf(each.name).zh, each]))
}

/** Of a run in the past: the same however often its past is written. */
export const pastRunId = ({ linkageId }: StoredLinkage, at: number): string =>
  namedUuid('linkage of the past', linkageId, Math.floor(at / minuteMs))

/** What one in the past was decided by: its one condition had just come to be true. */
export function pastTrace(linkage: StoredLinkage, at: number): LinkageTrace {
  const conditions = linkage.conditions.map(({ value }) => ({ value, at, truth: true as const, since: at }))
  return traceOf(linkage, { conditions, truth: true, blind: [] }, at, linkage.mode === 'live')
}

/** Those that only log, by the alarm that they read. */
export const shadowsOf = (known: DemoLinkages, lineId: number, key: string): readonly StoredLinkage[] =>
  [...known.values()].filter(
    ({ mode, conditions }) => mode === 'shadow' && conditions.some((each) => each.lineId === lineId && each.key === key),
  )

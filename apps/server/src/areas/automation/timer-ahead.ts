import type { Foreseen as ForeseenRecord } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import { awayOf } from '@linewarden/rules/alarm'
import type { Foreseen, Occurrence, ProjectTime } from '@linewarden/rules/automation'
import { foresee, stillWanted } from '@linewarden/rules/automation'
import { tagsInForce } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { LineWords } from '../../store/automation/override.ts'
import { wordsOfLines } from '../../store/automation/override.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import type { AutomationDeps } from './deps.ts'
import { overrideOf } from './overrides.ts'

/** A time at which a timer is due, and whether it is the next one. */
export interface Ahead {
  readonly timer: StoredTimer
  readonly due: Pick<Occurrence, 'at' | 'action'>
  readonly isNext: boolean
}

/** Of more lines than this nobody's word is asked for: a page of very large timers is read for what they do, not for each line. */
const maxAskedLines = 2_000
const shownNames = 3

type Deps = Pick<AutomationDeps, 'database' | 'plant' | 'actorNow'>

/** What will not be done at each of these times, by what is known now; of lines that the actor sees. */
export async function foreseenOf(
  { database, plant, actorNow }: Deps,
  actor: Actor,
  ahead: readonly Ahead[],
  times: ReadonlyMap<number, ProjectTime>,
): Promise<readonly ForeseenRecord[][]> {
  const lineIds = [...new Set(ahead.flatMap(({ timer }) => timer.lineIds))].slice(0, maxAskedLines)
  const words = await wordsOfLines(database.general, lineIds)
  const tripped = [...new Set(ahead.flatMap(({ timer, due }) => (mayBeWanted(timer, due) ? timer.lineIds : [])))]
  const wanting = tripped.length === 0 ? [] : await timersWhere(database.general, { lineIds: tripped, enabled: true })
  const owners = await ownersNow(actorNow, [...ahead.map(({ timer }) => timer), ...wanting])
  const ofLine = new Map<number, StoredTimer[]>()
  for (const timer of wanting) for (const id of timer.lineIds) ofLine.set(id, [...(ofLine.get(id) ?? []), timer])
  const knownOf = new Map([...times.keys()].map((projectId) => [projectId, new Map<string, boolean>()]))

  return ahead.map(({ timer, due, isNext }) => {
    const time = times.get(timer.projectId)
    const wantedBy = (line: PlantLine): string | null => {
      if (!time || !mayBeWanted(timer, due)) return null
      const others = (ofLine.get(line.id) ?? []).filter((other) => mayOperate(owners, other, line))
      return stillWanted(timer.timerId, others, time, due.at, knownOf.get(timer.projectId))?.name ?? null
    }
    const found = timer.lineIds.flatMap((id) => {
      const line = plant.lines.get(id)
      if (!line || !actor.seesGateway(line.device.gateway)) return []
      const action = actionOf(timer, due.action, id)
      const foreseen = foresee(
        action,
        due.at,
        {
          isSceneDisabled: timer.scene?.enabled === false,
          ...lineAhead(line, words.get(id)),
          ...rightsOf(line),
          wantedBy: wantedBy(line),
        },
        isNext,
      )
      return foreseen ? [{ foreseen, line }] : []
    })
    return grouped(found, actor.shared)

    function rightsOf(line: PlantLine) {
      return {
        isInProject: line.device.gateway.project.id === timer.projectId,
        ownerMay: mayOperate(owners, timer, line),
      }
    }
  })
}

const mayBeWanted = ({ keepWhileWanted }: StoredTimer, { action }: Ahead['due']) => keepWhileWanted && action === 'trip'

/** What it does to a line: of a scene, what that does. */
const actionOf = ({ scene }: StoredTimer, action: Ahead['due']['action'], lineId: number): Ahead['due']['action'] =>
  action === 'run' ? (scene?.items.find((item) => item.lineId === lineId)?.action ?? action) : action

type Owners = ReadonlyMap<string, Actor | null>

async function ownersNow(actorNow: AutomationDeps['actorNow'], timers: readonly StoredTimer[]): Promise<Owners> {
  const owners = new Map<string, Actor | null>()
  for (const id of new Set(timers.flatMap(({ ownerId }) => ownerId ?? [])))
    owners.set(id, await actorNow({ accountId: id, sessionId: '', address: '' }))
  return owners
}

function mayOperate(owners: Owners, { ownerId, projectId }: StoredTimer, { device: { gateway } }: PlantLine): boolean {
  const owner = ownerId === null ? null : owners.get(ownerId)
  return !!owner && gateway.project.id === projectId && permits('lineSwitch', owner) && owner.seesGateway(gateway)
}

const lineAhead = (line: PlantLine, words: LineWords | undefined) => ({
  override: overrideOf(line, words ?? { given: null, ordered: null })?.override ?? null,
  isAway: awayOf(line.device.gateway.link, line.device.link) !== null,
  lockedOut: line.lockoutCause !== null,
  tags: tagsInForce(line).map(({ holder, expectedEnd }) => ({ by: holder, expectedEnd })),
})

/** One record for each reason. A shared account reads no names of people. */
function grouped(
  found: readonly { readonly foreseen: Foreseen; readonly line: PlantLine }[],
  isShared: boolean,
): ForeseenRecord[] {
  const records = new Map<string, ForeseenRecord>()
  for (const { foreseen, line } of found) {
    const by = isShared && foreseen.why === 'tagged' ? null : foreseen.by
    const key = `${foreseen.why} ${by}`
    const known = records.get(key)
    records.set(key, {
      Outcome: foreseen.outcome,
      Why: foreseen.why,
      By: by,
      Count: (known?.Count ?? 0) + 1,
      LineNames: [...(known?.LineNames ?? []), line.name].slice(0, shownNames),
    })
  }
  return [...records.values()]
}

import type { LineOverride, List, OverriddenLine, overrideLine, queryOverrides, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Override } from '@linewarden/rules/automation'
import { isInForce, maxOverrideMs, overrideSkip } from '@linewarden/rules/automation'
import type { GroupAction } from '@linewarden/rules/control'
import { clockToleranceMs } from '@linewarden/rules/monitor'
import type { Actor } from '../../access/actor.ts'
import { projectsSeen } from '../../access/seen.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import { nextDues, operatedLines } from '../../store/automation/contained.ts'
import type { LineWords } from '../../store/automation/override.ts'
import { saveWord, timedSince, wordsOfLines } from '../../store/automation/override.ts'
import type { AutomationDeps } from './deps.ts'

const none: LineOverride = { Kind: null, Since: null, Until: null, By: null, Reason: '' }

interface PersonsOverride {
  readonly override: Override
  readonly actor: string
  readonly reason: string
}

/**
 * A person's word on a line against its timers, the latest of all: given by itself or ordered of the line, by the fence of the line and by no
 * clock, or done by hand at the breaker. A trip of
 * a person stays until a person closes the line or releases it.
 */
export function overrideOf(line: PlantLine, { given, ordered }: LineWords): PersonsOverride | null {
  const words: { at: number; fence: number; current: PersonsOverride | null }[] = []
  const byHand = line.states.get('position') === 'open' && line.states.get('trip.cause') === 'manual'
  // Whoever finds it open by hand opened it after any close that was verified, whatever the clock of the equipment says.
  if (ordered && !(byHand && ordered.action === 'close')) {
    const stay = { override: { kind: 'stay', since: ordered.at }, actor: ordered.actor, reason: '' } as const
    words.push({ at: ordered.at, fence: ordered.fence, current: ordered.action === 'trip' ? stay : null })
  }
  // After what was ordered: said with that order, it has its fence and counts more.
  if (given) {
    const { kind, since, until, actor, reason, fence } = given
    const override: Override | null =
      kind === 'until' ? { kind, since, until: until ?? since } : kind === 'released' ? null : { kind, since }
    words.push({ at: since, fence, current: override && { override, actor, reason } })
  }
  const latest = words.reduce<(typeof words)[number] | null>((one, other) => (one && one.fence > other.fence ? one : other), null)
  if (!byHand || (latest && latest.at > reportedBy(line))) return latest?.current ?? null
  const since = line.positionSince ?? line.positionAt ?? 0
  return { override: { kind: 'stay', since }, actor: '', reason: '' }
}

/** When the position was known here at the latest, by this server's clock: only what a person says after that is said of it. */
function reportedBy({ positionAt, positionSince }: PlantLine): number {
  const receivedAt = positionAt ?? Number.POSITIVE_INFINITY
  return positionSince === null ? receivedAt : Math.min(receivedAt, positionSince + clockToleranceMs)
}

const texts = {
  override: { zh: '人工保持期间，定时动作已跳过', en: 'Left out: a person has put the timers of this line on hold' },
  personTripped: {
    zh: '人工分闸后保持断开，定时合闸已跳过',
    en: 'Left out: a person tripped this line, and it stays open until a person closes or releases it',
  },
} as const satisfies Record<string, Text>

/** Why a timed action is left out because of a person's word; null: it is not. */
export function skippedBy(line: PlantLine, words: LineWords, action: GroupAction, now: number) {
  const current = overrideOf(line, words)
  const why = overrideSkip(current?.override ?? null, action === 'selfTest' ? 'test' : action, 'timer', now)
  return why && { key: why, text: texts[why] }
}

/** What people say of lines against their timers. */
export function createOverrides({ database, plant, clock }: Pick<AutomationDeps, 'database' | 'plant' | 'clock'>) {
  return {
    of,

    /** Of lines that something acts on by itself or would close; whoever sees none of a line's values does not see who keeps it as it is. */
    async query(
      actor: Actor,
      project: PlantProject | null,
      { Page = 1, Size = 50 }: Request<typeof queryOverrides>['body'],
    ): Promise<List<OverriddenLine>> {
      const projectIds = (project ? [project] : projectsSeen(actor, plant)).map(({ id }) => id)
      const lines = (await operatedLines(database.general, projectIds)).flatMap(({ lineId, timed }) => {
        const line = plant.lines.get(lineId)
        return line && actor.seesGateway(line.device.gateway) ? [{ line, timed }] : []
      })
      const records = await ofAll(lines.map(({ line }) => line))
      const items = lines
        .flatMap(({ line, timed }) => {
          const record = records.get(line.id)
          if (!record || record.Kind === null) return []
          const { project } = line.device.gateway
          return {
            ...{ LineID: line.id, ControllerID: line.device.controllerId, LineNo: line.lineNo, LineName: line.name },
            ...{ HouseID: project.id, HouseName: project.name, TimeZone: project.timeZone },
            ...{ Timed: timed, ...record },
          }
        })
        .toSorted((one, other) => (other.Since ?? 0) - (one.Since ?? 0) || one.LineID - other.LineID)
      return { items: items.slice((Page - 1) * Size, Page * Size), total: items.length }
    },

    async set(
      actor: Actor,
      line: PlantLine,
      { Kind, Until, Reason }: Request<typeof overrideLine>['body'],
    ): Promise<LineOverride> {
      const now = clock()
      const until = Kind === 'until' ? (Until ?? 0) : null
      if (until !== null && (until <= now || until > now + maxOverrideMs)) throw new Refusal('override end wrong')
      await save(actor, line, { kind: Kind, since: now, until, actor: actor.userName, reason: Reason })
      return of(line)
    },

    async release(actor: Actor, line: PlantLine): Promise<LineOverride> {
      await save(actor, line, { kind: 'released', since: clock(), until: null, actor: actor.userName, reason: '' })
      return of(line)
    },
  }

  async function of(line: PlantLine): Promise<LineOverride> {
    return (await ofAll([line])).get(line.id) ?? none
  }

  async function ofAll(lines: readonly PlantLine[]): Promise<ReadonlyMap<number, LineOverride>> {
    const ids = lines.map(({ id }) => id)
    const words = await wordsOfLines(database.general, ids)
    const current = lines.flatMap((line) => {
      const own = words.get(line.id)
      const found = own && overrideOf(line, own)
      return found && isInForce(found.override, clock()) ? [{ line, ...found }] : []
    })
    const next = current.filter(({ override }) => override.kind === 'next')
    const over = await timedSince(
      database.general,
      next.map(({ line, override }) => ({ lineId: line.id, since: override.since })),
    )
    const dues = await nextDues(
      database.general,
      next.map(({ line }) => line.id),
    )
    return new Map(
      current.map(({ line, override, actor, reason }) => {
        // The timers have gone on, or there is none to wait for: nothing is left of it.
        if (override.kind === 'next' && (over.has(line.id) || !dues.has(line.id))) return [line.id, none]
        const until = override.kind === 'until' ? override.until : override.kind === 'next' ? (dues.get(line.id) ?? null) : null
        const record = {
          Kind: override.kind,
          Since: override.since,
          Until: until,
          By: actor === '' ? null : actor,
          Reason: reason,
        }
        return [line.id, record]
      }),
    )
  }

  async function save(actor: Actor, line: PlantLine, word: Parameters<typeof saveWord>[2]): Promise<void> {
    const { kind, until, reason } = word
    const action = kind === 'released' ? 'line.release' : 'line.override'
    const audit = {
      ...by(actor, word.since, action, tenantOfLine(line)),
      subject: aboutLine(line),
      after: { kind, until, reason },
    }
    await saveWord(database, line.id, word, audit)
  }
}

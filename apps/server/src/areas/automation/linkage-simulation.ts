import type { LinkageSimulation, Request, SimulatedOutcome, simulateLinkage } from '@linewarden/contract'
import { maxSimulatedDays, Refusal, simulatedOutcomes } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { LinkageReplay, LinkageRule, Span } from '@linewarden/rules/automation'
import {
  civilZone,
  isActiveAt,
  isDangerTrip,
  knownSpans,
  maxSilenceMs,
  outcomesOf,
  replayLinkage,
  spansBetween,
} from '@linewarden/rules/automation'
import type pg from 'pg'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import { readOnly } from '../../store/warning/trial-source.ts'
import { readSeries } from '../history/series.ts'
import { Pace } from '../warning/back-test/trial.ts'
import type { AutomationDeps } from './deps.ts'
import type { PastCondition, TriedCondition } from './linkage-courses.ts'
import { maxStretches, pastOf } from './linkage-courses.ts'
import { linkageDraft, sourceOf } from './linkage-draft.ts'
import { ruleCondition } from './linkage-values.ts'

/** Simulations of all people that run on this server at once. */
const maxRunning = 2
/** Whoever waits longer has asked for too much. */
const maxSimulationMs = 20_000
const maxFirings = 200
const maxSpans = 200
/** Points of a curve, as wide as it is drawn. */
const seriesWidth = 360

type Body = Request<typeof simulateLinkage>['body']

interface Tried {
  readonly client: pg.Client
  readonly span: Span
  readonly rest: () => Promise<void>
}

/** When a linkage would have fired, by what is stored: the same fold as live, on a connection of its own, and nothing is saved. */
export function createLinkageSimulation(deps: AutomationDeps) {
  const { database, plant, clock } = deps
  const running = new Set<string>()
  return { simulate }

  async function simulate(actor: Actor, project: PlantProject, body: Body, gone: AbortSignal): Promise<LinkageSimulation> {
    const span = spanOf(body, clock())
    const scenes = await scenesOf(database.general, [project.id])
    const draft = linkageDraft(actor, { plant, projectId: project.id, scenes }, { ...body, Name: body.Name.trim() || '–' })
    const conditions = draft.conditions.flatMap((each): TriedCondition[] => {
      const line = plant.lines.get(each.lineId)
      const source = line && sourceOf(line, each)
      return source ? [{ line, kind: each.kind, key: each.key, slot: source.slot, rule: ruleCondition(line, each) }] : []
    })
    if (running.size >= maxRunning || running.has(actor.accountId)) throw new Refusal('simulation busy')
    running.add(actor.accountId)
    const began = performance.now()
    try {
      return await onOwnConnection(async (client) => {
        const pace = new Pace(gone)
        const rest = async () => {
          if (performance.now() - began > maxSimulationMs) throw new Refusal('simulation too long')
          await pace.rest()
        }
        const found = await tryOut({ client, span, rest }, draft.match, conditions)
        const active = (at: number) => isActiveAt(draft.activeHours, civilZone(project.timeZone), at)
        const kinds = draft.actions.map(({ kind }) => kind)
        const dangers = conditions.map(isDanger)
        const { outcomes, haltedAt } = outcomesOf(
          found.replay.firings.map(({ at, truths }) => ({
            at,
            isDangerTrip: isDangerTrip(
              kinds,
              truths.map((truth, index) => ({ truth, isDanger: dangers[index] ?? false })),
            ),
          })),
          draft,
          active,
        )
        return {
          ...{ From: span.from, To: span.to },
          Counts: countsOf(outcomes),
          Firings: await firingsOf(found, outcomes),
          Orders: outcomes.filter((each) => each === 'fired').length * kinds.filter((kind) => kind === 'workorder').length,
          HaltedAt: haltedAt,
          CoveragePercent: percent(total(spansBetween(found.replay.unknown, span)), span),
          Blind: longest(found.replay.unknown.filter(({ from, to }) => to - from > blindAfterMs(found.rule))),
          Conditions: await recordsOf(actor, found, span),
          TookMs: Math.round(performance.now() - began),
        }
      })
    } catch (error) {
      if (gone.aborted) throw new Refusal('simulation ended')
      throw error
    } finally {
      running.delete(actor.accountId)
    }
  }

  /** The curves of points come as those of the history page do; what holds until it changes is drawn by its own steps. */
  async function recordsOf(actor: Actor, { conditions, pasts }: Found, span: Span): Promise<LinkageSimulation['Conditions']> {
    const subjects = conditions.flatMap(({ line, slot }) => {
      const point = slot === null ? undefined : line.device.family.points.find((each) => each.slot === slot)
      return point ? [{ line, point }] : []
    })
    const read = linesSeenBy(
      database,
      actor.scope,
      subjects.map(({ line }) => line.id),
    )
    const series = subjects.length > 0 ? await readSeries(read, subjects, { ...span, width: seriesWidth, now: clock() }) : []
    let nth = 0
    return conditions.map(({ slot, rule }, index) => {
      const past = pasts[index]
      const curve = slot === null ? null : series[nth++]
      const known = past ? knownSpans(past.stretches, rule.periodMs, span) : []
      return {
        Recorded: past != null,
        CoveragePercent: past ? percent(total(known), span) : null,
        Gaps: past ? longest(spansBetween(known, span)) : [],
        ...(curve ? curveOf(curve) : stepsOf(past ?? null, span)),
      }
    })
  }

  async function onOwnConnection<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = await database.connect()
    try {
      await readOnly(client)
      return await work(client)
    } finally {
      await client.end()
    }
  }
}

const isDanger = ({ line, kind, key }: TriedCondition): boolean => sourceOf(line, { kind, key })?.isDanger ?? false

interface Found {
  readonly rule: LinkageRule
  readonly conditions: readonly TriedCondition[]
  /** Null: not recorded. */
  readonly pasts: readonly (PastCondition | null)[]
  readonly replay: LinkageReplay
}

function spanOf({ From, To }: Body, now: number): Span {
  const to = Math.min(To ?? now, now)
  const from = From ?? to - maxSimulatedDays * dayMs
  const wrong = (zh: string, en: string) => new Refusal('invalid parameter', {}, [{ Path: 'body.From', Text: { zh, en } }])
  if (from >= to) throw wrong('开始时间应早于结束时间', 'must be before To')
  if (to - from > maxSimulatedDays * dayMs)
    throw wrong(`最多 ${maxSimulatedDays} 天`, `at most ${maxSimulatedDays} days before To`)
  return { from, to }
}

async function tryOut(
  { client, span, rest }: Tried,
  match: LinkageRule['match'],
  conditions: readonly TriedCondition[],
): Promise<Found> {
  const pasts: (PastCondition | null)[] = []
  for (const condition of conditions) {
    const past = await pastOf(condition, { client, ...span, rest })
    if (past && past.stretches.length > maxStretches) throw new Refusal('simulation too long')
    pasts.push(past)
    await rest()
  }
  const rule = { match, conditions: conditions.map((each) => each.rule) }
  const courses = pasts.map((past) => past?.stretches ?? [])
  const replay = replayLinkage(rule, courses, span)
  for (;;) {
    const { done, value } = replay.next()
    if (done) return { rule, conditions, pasts, replay: value }
    await rest()
  }
}

/** The newest, with the values that each condition had then. */
async function firingsOf({ replay, pasts }: Found, outcomes: readonly SimulatedOutcome[]): Promise<LinkageSimulation['Firings']> {
  const first = Math.max(0, replay.firings.length - maxFirings)
  const shown = replay.firings.slice(first)
  const instants = shown.map(({ at }) => at)
  const values: (readonly (number | null)[])[] = []
  for (const past of pasts) values.push(past && instants.length > 0 ? await past.at(instants) : [])
  return shown.map(({ at }, index) => ({
    At: at,
    Outcome: outcomes[first + index] ?? 'fired',
    Values: values.map((own) => own[index] ?? null),
  }))
}

const countsOf = (outcomes: readonly SimulatedOutcome[]) =>
  simulatedOutcomes.flatMap((Outcome) => {
    const Count = outcomes.filter((each) => each === Outcome).length
    return Count > 0 ? [{ Outcome, Count }] : []
  })

const blindAfterMs = ({ conditions }: LinkageRule): number =>
  Math.max(...conditions.map((each) => Math.max(each.forS * 1_000, maxSilenceMs(each))))

const total = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

const percent = (ms: number, { from, to }: Span): number => Math.round((ms / (to - from)) * 1_000) / 10

const longest = (spans: readonly Span[]): [number, number][] =>
  spans
    .toSorted((one, other) => other.to - other.from - (one.to - one.from))
    .slice(0, maxSpans)
    .map(({ from, to }): [number, number] => [from, to])
    .toSorted(([one], [other]) => one - other)

const curveOf = ({
  At,
  Value,
  Min,
  Max,
}: {
  At: number[]
  Value: (number | null)[]
  Min: (number | null)[]
  Max: (number | null)[]
}) => ({
  ...{ Steps: false, At },
  Min: Min.length > 0 ? Min : Value,
  Max: Max.length > 0 ? Max : Value,
})

/** Changes, the shortest left out where there are more than can be drawn: a value stands for at least its part of the width. */
function stepsOf(past: PastCondition | null, { from, to }: Span) {
  const At: number[] = []
  const Value: (number | null)[] = []
  const shortest = (to - from) / seriesWidth
  for (const { from: at, value } of past?.stretches ?? []) {
    const last = At.length - 1
    if (Value[last] === value && last >= 0) continue
    if ((past?.stretches.length ?? 0) > seriesWidth && last >= 0 && at - (At[last] ?? 0) < shortest) {
      Value[last] = value
      continue
    }
    At.push(at)
    Value.push(value)
  }
  return { Steps: true, At, Min: Value, Max: Value }
}

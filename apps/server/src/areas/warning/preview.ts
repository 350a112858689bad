import type { previewWarningRule, Request, WarningRulePreview } from '@linewarden/contract'
import { maxPreviewDays, maxPreviewLines, Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { LineBackTest, RuleInForce, WarningDetector } from '@linewarden/rules/warning'
import { noisyAbove, ruleInForce, stricterValues, stricterWay, summariseBackTest } from '@linewarden/rules/warning'
import type pg from 'pg'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { readOnly } from '../../store/warning/trial-source.ts'
import { linesAtOnce, looksDaily, tryOut } from './back-test/tester.ts'
import type { TriedOut } from './back-test/trial.ts'
import { isFor, Pace } from './back-test/trial.ts'
import type { WarningDeps } from './deps.ts'
import { clockOf } from './line-facts.ts'
import { previewRecord } from './preview-record.ts'
import { PreviewTurns } from './preview-turns.ts'
import { ruleValuesOf } from './rule-form.ts'
import type { Place } from './rule-list.ts'
import { createRuleList, detectorOf, placeOf } from './rule-list.ts'

/** Connections of a preview: while some lines are evaluated the database reads the next ones. */
const connections = 2
/** Lines on which it is tried which figure would halve the findings. */
const maxHalvingLines = 1_000

interface Stretch {
  readonly from: number
  readonly to: number
}

interface Trial {
  readonly detector: WarningDetector
  readonly stretch: Stretch
  /** Lines of the place, and those of them that one of the rules is for. */
  readonly lines: readonly PlantLine[]
  readonly tried: readonly PlantLine[]
  readonly changed: RuleInForce
  readonly present: RuleInForce
}

/** What a rule would have raised: the same functions over what is stored, on a connection of its own, and nothing is saved. */
export function createPreview(deps: WarningDeps) {
  const { database, plant, clock } = deps
  const { inForceAt, linesOf } = createRuleList(deps)
  const turns = new PreviewTurns()
  return {
    async preview(
      actor: Actor,
      project: PlantProject | null,
      body: Request<typeof previewWarningRule>['body'],
      gone: AbortSignal,
    ): Promise<WarningRulePreview> {
      const detector = detectorOf(body.Key)
      const place = placeOf(actor, project)
      const stretch = stretchOf(body)
      const lines = linesOf(place).filter(({ device }) => actor.seesGateway(device.gateway))
      const { changed, present } = await rulesOf(detector, place, body, lines)
      const tried = lines.filter((line) => isFor(changed, line) || isFor(present, line))
      if (tried.length > maxPreviewLines || stretch.to - stretch.from > maxPreviewDays * dayMs)
        throw new Refusal('preview too wide', { days: maxPreviewDays, lines: maxPreviewLines })
      return turns.take(place.ownerId ?? '', gone, () => tryBoth({ detector, stretch, lines, tried, changed, present }, gone))
    },
  }

  async function tryBoth(
    { detector, stretch, lines, tried, changed, present }: Trial,
    gone: AbortSignal,
  ): Promise<WarningRulePreview> {
    const began = performance.now()
    try {
      return await onOwnConnections(async (clients) => {
        const run = { clients, detector, stretch, pace: new Pace(gone) }
        const [own = [], other = []] = await tryAll(run, tried, [changed, present])
        const summary = summariseBackTest(own, other, daysOf(detector, tried, stretch))
        const days = Math.round((stretch.to - stretch.from) / dayMs)
        const limit = noisyAbove(own.length, days)
        const isNoisy = summary.changed.findings > limit
        const halving = isNoisy ? await halvingOf(run, changed, own, tried) : null
        return previewRecord(plant, detector.key, summary, {
          ...{ stretch, lines: own.length, limit, isNoisy, halving },
          excepted: lines.filter((line) => changed.except.includes(line.id) && isFor({ ...changed, except: [] }, line)).length,
          tookMs: Math.round(performance.now() - began),
        })
      })
    } catch (error) {
      if (gone.aborted) throw new Refusal('preview ended')
      throw error
    }
  }

  function stretchOf({ From, To }: Request<typeof previewWarningRule>['body']): Stretch {
    const to = Math.min(To ?? clock(), clock())
    const from = From ?? to - maxPreviewDays * dayMs
    if (from < to) return { from, to }
    const text = { zh: '结束时间应晚于开始时间', en: 'must be after From' }
    throw new Refusal('invalid parameter', {}, [{ Path: 'body.To', Text: text }])
  }

  /** The rule as its form has it, laid over the level above, and the one that is in force now. */
  async function rulesOf(
    detector: WarningDetector,
    place: Place,
    body: Request<typeof previewWarningRule>['body'],
    lines: readonly PlantLine[],
  ): Promise<{ readonly changed: RuleInForce; readonly present: RuleInForce }> {
    const stored = await inForceAt(place)
    const present = ruleInForce(detector, place, stored)
    const ids = new Set([...lines.map(({ id }) => id), ...present.except])
    const values = ruleValuesOf(detector, body, (lineId) => ids.has(lineId))
    const projectId = place.projectId
    const draft = {
      ...values,
      ruleId: 0,
      projectId,
      ownerId: projectId === null ? place.ownerId : null,
      key: detector.key,
      version: 0,
    }
    const others = stored.filter((each) => each.key !== detector.key || each.projectId !== projectId)
    return { changed: ruleInForce(detector, place, [...others, draft]), present }
  }

  async function onOwnConnections<T>(work: (clients: readonly pg.Client[]) => Promise<T>): Promise<T> {
    const clients: pg.Client[] = []
    try {
      while (clients.length < connections) {
        const client = await database.connect()
        clients.push(client)
        await readOnly(client)
      }
      return await work(clients)
    } finally {
      for (const client of clients) await client.end()
    }
  }
}

interface Run {
  readonly clients: readonly pg.Client[]
  readonly detector: WarningDetector
  readonly stretch: Stretch
  readonly pace: Pace
}

/** Tries rules out on all of the lines, some at a time; lines of one gateway together, because its link is one. */
async function tryAll(
  { clients, detector, stretch, pace }: Run,
  lines: readonly PlantLine[],
  trials: readonly RuleInForce[],
): Promise<readonly (readonly LineBackTest[])[]> {
  const tried: TriedOut[] = []
  const batches = batchesOf(lines, linesAtOnce(detector.key))
  let count = 0
  await Promise.all(
    clients.map(async (client) => {
      // Whoever fails ends the batches for the others as well.
      for (const batch of batches) {
        const nth = count++
        tried[nth] = await tryOut({ client, lines: batch, detector, trials, ...stretch, pace })
        await pace.rest()
      }
    }),
  )
  return trials.map((_, nth) => tried.flatMap((each) => each[nth] ?? []))
}

function* batchesOf(lines: readonly PlantLine[], most: number): Generator<readonly PlantLine[]> {
  let batch: PlantLine[] = []
  for (const own of Map.groupBy(lines, ({ device }) => device.gateway).values()) {
    if (batch.length > 0 && batch.length + own.length > most) {
      yield batch
      batch = []
    }
    batch.push(...own)
  }
  if (batch.length > 0) yield batch
}

/** Local days that the lines have in the stretch, in whichever zones they are. */
function daysOf({ key }: WarningDetector, lines: readonly PlantLine[], { from, to }: Stretch): { from: number; to: number } {
  const zones = [...new Set(lines.map(({ device }) => device.gateway.project.timeZone))]
  const dayIn = (zone: string, at: number) => Math.floor(clockOf(zone).local(at) / dayMs)
  const first = Math.min(...zones.map((zone) => dayIn(zone, from)))
  const last = Math.max(...zones.map((zone) => (looksDaily(key) ? dayIn(zone, to) - 1 : dayIn(zone, to - 1))))
  return zones.length === 0 ? { from: 0, to: -1 } : { from: first, to: last }
}

/** The figure whose smallest change would halve the findings. A stricter one yields no more anywhere, so only lines with some are asked. */
async function halvingOf(
  run: Run,
  rule: RuleInForce,
  own: readonly LineBackTest[],
  lines: readonly PlantLine[],
): Promise<WarningRulePreview['Halving']> {
  const asked = own
    .filter(({ findings }) => findings.length > 0)
    .toSorted((a, b) => b.findings.length - a.findings.length)
    .slice(0, maxHalvingLines)
  const total = own.reduce((sum, { findings }) => sum + findings.length, 0)
  const beside = total - asked.reduce((sum, { findings }) => sum + findings.length, 0)
  const ids = new Set(asked.map(({ lineId }) => lineId))
  const choices = Object.entries(run.detector.parameters).flatMap(([name, parameter]) => {
    const way = stricterWay(rule.key, name)
    const values = way === null ? [] : stricterValues(parameter, rule.params[name] ?? parameter.default, way)
    return values.map((value, step) => ({ name, value, step }))
  })
  const trials = choices.map(({ name, value }) => ({ ...rule, params: { ...rule.params, [name]: value } }))
  const tried = await tryAll(
    run,
    lines.filter(({ id }) => ids.has(id)),
    trials,
  )
  const counted = choices.map((choice, nth) => ({
    ...choice,
    findings: beside + (tried[nth] ?? []).reduce((sum, { findings }) => sum + findings.length, 0),
  }))
  const [best] = counted
    .filter(({ findings }) => findings <= total / 2)
    .toSorted((a, b) => a.step - b.step || b.findings - a.findings)
  return best ? { Name: best.name, Value: best.value, Findings: best.findings } : null
}

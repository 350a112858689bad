import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { HealthBand, LineExam } from '@linewarden/rules/health'
import { examLine, healthBands, healthCosts, healthScore } from '@linewarden/rules/health'
import type pg from 'pg'
import { withSortedKeys } from '../../lib/sorted-keys.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredHealthResult } from '../../store/health/schema.ts'
import type { HealthDays } from '../../store/health/source.ts'
import { lineSources, livesOf, withdrawnFirmware } from '../../store/health/source.ts'
import type { NewHealthLine } from '../../store/health/write.ts'
import { healthFacts } from './facts.ts'

/** Lines whose data are in memory at once. */
const linesAtOnce = 500

export interface ExamRun {
  readonly client: pg.ClientBase
  readonly lines: readonly PlantLine[]
  readonly days: HealthDays
  readonly now: number
  /** Go no further: it was ended, or another server has it. */
  readonly signal: AbortSignal
  /** Stores what was found on some lines. False: go no further. */
  readonly store: (lines: readonly NewHealthLine[]) => Promise<boolean>
}

/** Examines lines some at a time, on a connection of its own. Null: there are none, or it was to go no further. */
export async function examLines({ client, lines, days, now, signal, store }: ExamRun): Promise<StoredHealthResult | null> {
  const withdrawn = await withdrawnFirmware(client)
  const exams: LineExam[] = []
  const hash = createHash('sha256')
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    if (signal.aborted) return null
    const batch = lines.slice(from, from + linesAtOnce)
    const sources = await lineSources(
      client,
      batch.map((line) => ({ id: line.id, terminalSlots: terminalSlotsOf(line) })),
      days,
      now,
    )
    const lives = await livesOf(client, [...new Set(batch.map(({ device }) => device.id))])
    const found = batch.flatMap((line): NewHealthLine[] => {
      const source = sources.get(line.id)
      if (!source) return []
      const exam = examLine(healthFacts(line, { source, life: lives.get(line.device.id), withdrawn, now }), now)
      exams.push(exam)
      return [foundOn(line, exam)]
    })
    for (const each of found) hash.update(JSON.stringify(withSortedKeys(each)))
    if (!(await store(found))) return null
    // Whatever else this server has to do is not kept waiting.
    await setImmediate()
  }
  return exams.length === 0 ? null : resultOf(exams, hash.digest('hex'))
}

const terminalSlotsOf = ({ device: { family } }: PlantLine): number[] =>
  family.points.flatMap(({ quantity, phase, slot }) => (quantity === 'temperature' && phase ? slot : []))

function foundOn(line: PlantLine, { score, coverage, ...exam }: LineExam): NewHealthLine {
  const { device } = line
  return {
    ...{ line_id: line.id, line_name: line.name || device.name, gateway_name: device.gateway.name, score, coverage },
    found: {
      ...{ ...exam, controllerId: device.controllerId, lineNo: line.lineNo, gatewayId: device.gateway.id },
      ...{ model: device.model, ratedA: line.ratedCurrentA },
    },
  }
}

function resultOf(exams: readonly LineExam[], hash: string): StoredHealthResult {
  const scored = exams.filter(({ score }) => score !== null)
  const total = healthScore(scored.flatMap(({ score }) => score ?? []))
  const bands = Object.fromEntries(healthBands.map((band) => [band, 0])) as Record<HealthBand, number>
  for (const { band } of scored) if (band !== null) bands[band] += 1
  const coverage = exams.reduce((sum, exam) => sum + exam.coverage, 0) / exams.length
  return {
    ...{ score: total?.score ?? null, band: total?.band ?? null, average: total?.average ?? null },
    ...{ worstTenth: total?.worstTenth ?? null, worstLines: total?.worstLines ?? 0 },
    ...{ scored: scored.length, unscored: exams.length - scored.length, coverage: Math.floor(coverage + 1e-9), bands },
    ...{ costs: healthCosts(scored), hash },
  }
}

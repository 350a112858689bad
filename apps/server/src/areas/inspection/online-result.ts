import { createHash } from 'node:crypto'
import { dateText } from '@linewarden/rules/automation'
import { onlineChecks } from '@linewarden/rules/inspection'
import type { RoundRow } from '../../store/inspection/round.ts'
import type { StoredRoundResult } from '../../store/inspection/schema.ts'
import type { NewRoundLine } from '../../store/inspection/walk.ts'
import { checkText } from './online-words.ts'

/** So many lines that are not in order stand on the sheet; how many there are stands there in any case. */
const maxOnSheet = 2_000

/** What a walk has come to so far. */
export class RoundTally {
  readonly #hash = createHash('sha256')
  readonly #grades = { ok: 0, defect: 0, unknown: 0 }
  readonly #checks = new Map<string, { defects: number; unknown: number }>(
    onlineChecks.map((check) => [check, { defects: 0, unknown: 0 }]),
  )
  /** Lines that are not in order, as far as they go on a sheet. */
  readonly lines: NewRoundLine[] = []

  add(found: readonly NewRoundLine[]): void {
    for (const line of found) {
      this.#hash.update(JSON.stringify([line.line_id, line.line_name, line.gateway_name, line.grade, line.found.findings]))
      this.#grades[line.grade]++
      for (const { check, grade } of line.found.findings) {
        const counted = this.#checks.get(check)
        if (counted && grade === 'defect') counted.defects++
        if (counted && grade === 'unknown') counted.unknown++
      }
      if (line.grade === 'defect' && this.lines.length < maxOnSheet) this.lines.push(line)
    }
  }

  result(): StoredRoundResult {
    const { ok, defect, unknown } = this.#grades
    const lines = ok + defect + unknown
    return {
      ...{ lines, ok, defects: defect, unknown, hash: this.#hash.digest('hex') },
      checks: [...this.#checks].map(([check, counted]) => ({
        ...{ check, ...counted, ok: lines - counted.defects - counted.unknown },
      })),
    }
  }
}

/** The sheet of an online round: what it came to, and the lines with a defect. */
export const onlineSheetText = (row: RoundRow, { lines }: RoundTally): string =>
  JSON.stringify({
    Round: {
      ...{ RoundID: row.round_id, Number: row.number, Name: row.name, HouseID: row.project_id, HouseName: row.project_name },
      ...{ TimeZone: row.time_zone, DueDay: row.due_day === null ? null : dateText(row.due_day), Inspector: row.inspector_name },
      ...{ StartedAt: row.started_at?.getTime() ?? null, FinishedAt: row.finished_at?.getTime() ?? null },
    },
    Result: row.result && {
      ...{ Lines: row.result.lines, Ok: row.result.ok, Defects: row.result.defects, Unknown: row.result.unknown },
      Checks: row.result.checks.map((each) => ({
        ...{ Check: each.check, Text: checkText(each.check), Ok: each.ok, Defects: each.defects, Unknown: each.unknown },
      })),
      Hash: row.result.hash,
    },
    Lines: lines.map(({ line_name, gateway_name, found }) => ({
      ...{ LineName: line_name, GatewayName: gateway_name, ControllerID: found.controllerId, LineNo: found.lineNo },
      Findings: found.findings.map(({ check, grade, text }) => ({ Check: check, Grade: grade, Text: text })),
    })),
  })

import type { exportHealthCheckLines, HealthCheckLine, Reply, Request } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { healthCategories } from '@linewarden/rules/health'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { filterInLog, inLanguage, issueLogged, listFile, pagesOf } from '../../http/table-file.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { HealthCheckRow, HealthLineFilter } from '../../store/health/check.ts'
import { healthLineIds, healthLinesById } from '../../store/health/check.ts'
import type { TableRow } from '../../tables/table.ts'
import type { createHealthAccess } from './access.ts'
import type { HealthDeps } from './deps.ts'
import { bands, ceilings, columns, fileName } from './export-words.ts'
import { lineRecord } from './record.ts'

type Wanted = Request<typeof exportHealthCheckLines>['body']

/** The lines of a check that somebody asks for, as the store finds them. */
export const lineFilterOf = (
  row: HealthCheckRow,
  { Band, Category, Text = '' }: Omit<Wanted, 'TestID' | 'Format' | 'Language'>,
): HealthLineFilter => ({
  ...{ testId: row.test_id, beforeId: row.before_id, band: Band ?? null, category: Category ?? null, text: Text },
})

/** What a finished check found, as a file: a row for each line, the worst first, as it was found, by the clock of the project then. */
export function createHealthExport(
  deps: Pick<HealthDeps, 'database' | 'plant' | 'downloads' | 'clock'>,
  access: Pick<ReturnType<typeof createHealthAccess>, 'seen'>,
) {
  const { database, plant, clock } = deps
  return {
    async exportLines(actor: Actor, { Format, Language, ...asked }: Wanted): Promise<Reply<typeof exportHealthCheckLines>> {
      const row = await access.seen(actor, asked.TestID)
      const { ids, file } = await linesFile(actor, row, { Format, Language, ...asked })
      const { TestID: _, ...filtered } = asked
      return issueLogged(deps, actor, file, {
        ...by(actor, clock(), 'healthCheck.export', plant.projects.get(row.project_id)?.ownerId ?? null),
        ...{ subject: about('healthCheck', row.test_id), target: row.number },
        after: { rows: ids.length, format: Format, filter: filterInLog(filtered) },
      })
    },
    linesFile,
  }

  /** The lines of a check as a file, and some of its rows at once. */
  async function linesFile(actor: Actor, row: HealthCheckRow, { Format, Language, ...asked }: Wanted) {
    if (row.state !== 'done') throw new Refusal('exam without result')
    const filter = lineFilterOf(row, asked)
    const ids = await withRowSecurity(database, actor.scope, (db) => healthLineIds(db, filter, null))
    const rowsOf = async (some: readonly number[]): Promise<readonly TableRow[]> => {
      const lines = await withRowSecurity(database, actor.scope, (db) => healthLinesById(db, filter, some))
      return lines.map((line) => rowOf(row, lineRecord(line, row.before_id !== null), Language))
    }
    const file = listFile(
      { Format, Language },
      {
        called: { zh: `${fileName.zh}-${row.number}`, en: `${fileName.en}-${row.number}` },
        ...{ columns, timeZone: row.time_zone, now: clock() },
        pages: (_, onProgress) => pagesOf(ids, rowsOf, onProgress),
      },
    )
    return { ids, file, first: (count: number) => rowsOf(ids.slice(0, count)) }
  }
}

function rowOf(check: HealthCheckRow, line: HealthCheckLine, language: Wanted['Language']): TableRow {
  const localised = (text: Text) => inLanguage(text, language)
  const and = language === 'EN' ? ', ' : '、'
  const between = language === 'EN' ? '; ' : '；'
  const lost = new Map(line.Parts.map(({ Category, Counted }) => [Category, Counted]))
  return {
    at: check.started_at.getTime(),
    values: [
      check.number,
      check.project_name,
      line.GatewayName,
      line.LineName,
      line.LineNo,
      line.ControllerID,
      line.Model,
      line.RatedCurrentA,
      line.Score,
      line.Band && localised(bands[line.Band]),
      line.Coverage,
      line.BeforeScore,
      // What this kind of equipment has not, as a circuit has no battery, stays empty.
      ...healthCategories.map((category) => lost.get(category) ?? null),
      line.CeilingCost,
      line.Ceilings.map((each) => localised(ceilings[each])).join(and) || null,
      line.Gaps.map(({ Text }) => localised(Text)).join(and) || null,
      line.Gone.map(({ Text, Deduct }) => `${localised(Text)} +${Deduct}`).join(between) || null,
    ],
    note: line.Items.map(({ Text, Deduct }) => `${localised(Text)} −${Deduct}`).join(between),
  }
}

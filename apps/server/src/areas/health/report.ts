import { Refusal, text, zoneClock } from '@linewarden/contract'
import { healthBands } from '@linewarden/rules/health'
import type { Actor } from '../../access/actor.ts'
import { listFormat, mailTable, requireGateway, rowsInMail } from '../../http/list-report.ts'
import type { ReportAsked, ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { HealthCheckRow } from '../../store/health/check.ts'
import { listHealthChecks } from '../../store/health/check.ts'
import { bands, columns } from './export-words.ts'
import type { Health } from './service.ts'

const words = {
  number: text('体检编号', 'Health check'),
  at: text('体检时间', 'Examined'),
  score: text('得分', 'Score'),
} as const

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

/** The newest check that began since the period did: that of the month before is carried out when the month is over. */
export function healthReport({ linesFile }: Pick<Health, 'linesFile'>, { database, plant }: Deps): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(plant, actor, project, scope),
    known: async (actor, asked) => ((await newestOf(actor, asked)) ? null : 0),
    async make(actor, asked) {
      const { language } = asked
      const row = await newestOf(actor, asked)
      if (!row) throw new Refusal('exam none in period')
      const wanted = { TestID: row.test_id, Format: listFormat(asked), Language: language }
      const { file, first } = await linesFile(actor, row, wanted)
      const zone = zoneClock(row.time_zone)
      const rows = await first(rowsInMail)
      const figure = (label: keyof typeof words, value: string) => ({ label: inLanguage(words[label], language), value })
      const counts = row.result?.bands
      return {
        figures: [
          ...[figure('number', row.number), figure('at', zone.text(row.started_at.getTime()).slice(0, 16))],
          figure('score', row.result?.score == null ? '–' : String(row.result.score)),
          ...healthBands.flatMap((band) =>
            counts?.[band] ? [{ label: inLanguage(bands[band], language), value: String(counts[band]) }] : [],
          ),
        ],
        table: mailTable(asked, { columns, places: [3, 4, 9, 10, columns.length - 1], rows, zone }),
        file,
      }
    },
  }

  async function newestOf(actor: Actor, { project, scope, from }: ReportAsked): Promise<HealthCheckRow | null> {
    const of = { projectId: project.id, gatewayId: scope.DeviceID ?? null, state: 'done' as const }
    const { rows } = await withRowSecurity(database, actor.scope, (db) => listHealthChecks(db, of, { page: 1, size: 1 }))
    const [row] = rows
    return row && row.started_at.getTime() >= from ? row : null
  }
}

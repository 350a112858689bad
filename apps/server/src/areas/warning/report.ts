import type { Warning } from '@linewarden/contract'
import { maxExportedRows, text, zoneClock } from '@linewarden/contract'
import { warningLevels } from '@linewarden/rules/warning'
import { listFormat, mailTable, requireGateway, rowsInMail } from '../../http/list-report.ts'
import type { ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { Plant } from '../../plant/plant.ts'
import { columns, levels, warningRow } from './export.ts'
import type { Warnings } from './service.ts'

const words = {
  open: text('未恢复', 'Not returned'),
  found: text('其中本期发现', 'of them found in the period'),
} as const

/** Findings that are read at once. */
const atOnce = 200

/** Early warnings that have not returned, as they stand when it is made. */
export function warningReport(
  warnings: Pick<Warnings, 'findingIdsOf' | 'findingsOf' | 'warningsFile'>,
  { plant }: { readonly plant: Plant },
): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(plant, actor, project, scope),
    known: async () => null,
    async make(actor, asked) {
      const { project, scope, language, from, to } = asked
      const of = { HouseID: project.id, ...(scope.DeviceID !== undefined && { DeviceID: scope.DeviceID }) }
      const ids = await warnings.findingIdsOf(actor, project, { ...of, Open: true }, maxExportedRows)
      const found: Warning[] = []
      for (let at = 0; at < ids.length; at += atOnce)
        found.push(...(await warnings.findingsOf(actor, ids.slice(at, at + atOnce))))
      const isFound = ({ Event: { RaisedAt } }: Warning) => RaisedAt >= from && RaisedAt < to
      const byLevel = warningLevels.flatMap((level) => {
        const count = found.filter(({ Level }) => Level === level).length
        return count === 0 ? [] : [{ label: inLanguage(levels[level], language), value: String(count) }]
      })
      const rows = found.slice(0, rowsInMail).map((each) => warningRow(each, language))
      return {
        figures: [
          { label: inLanguage(words.open, language), value: String(found.length) },
          ...byLevel,
          { label: inLanguage(words.found, language), value: String(found.filter(isFound).length) },
        ],
        table: mailTable(asked, { columns, places: [0, 1, 2, 4, 5, 10], rows, zone: zoneClock(project.timeZone) }),
        file: warnings.warningsFile(actor, project, { Format: listFormat(asked), Language: language }, ids),
      }
    },
  }
}

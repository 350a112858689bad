import { text, zoneClock } from '@linewarden/contract'
import { warningLevels } from '@linewarden/rules/warning'
import { listFormat, mailTable, requireGateway, rowsInMail } from '../../http/list-report.ts'
import type { ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { Plant } from '../../plant/plant.ts'
import { columns, levels, warningRow } from './export.ts'
import type { Warnings } from './service.ts'

const words = {
  open: text('未恢复', 'Not returned'),
  found: text('本期发现', 'Found in the period'),
  returned: text('本期发现、已恢复', 'Found in the period, over'),
} as const

/** More are not counted one by one. */
const most = 100_000

/** Early warnings: those that have not returned, and those found in the period. */
export function warningReport(
  warnings: Pick<Warnings, 'findingIdsOf' | 'findingsOf' | 'warningsFile'>,
  { plant }: { readonly plant: Plant },
): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(plant, actor, project, scope),
    known: async () => null,
    async make(actor, asked) {
      const { project, scope, language } = asked
      const of = { HouseID: project.id, ...(scope.DeviceID !== undefined && { DeviceID: scope.DeviceID }) }
      const found = { From: asked.from, To: asked.to }
      const idsOf = (more: object) => warnings.findingIdsOf(actor, project, { ...of, ...more }, most)
      const open = await idsOf({ Open: true, To: asked.to })
      const openNew = await idsOf({ Open: true, ...found })
      const returned = await idsOf({ Open: false, ...found })
      const byLevel = []
      for (const level of warningLevels) {
        const ids = await idsOf({ Open: true, To: asked.to, Levels: [level] })
        if (ids.length > 0) byLevel.push({ label: inLanguage(levels[level], language), value: String(ids.length) })
      }
      const ids = [...open, ...returned]
      const rows = (await warnings.findingsOf(actor, ids.slice(0, rowsInMail))).map((each) => warningRow(each, language))
      const figure = (label: keyof typeof words, value: number) => ({
        label: inLanguage(words[label], language),
        value: String(value),
      })
      return {
        figures: [
          ...[figure('open', open.length), ...byLevel, figure('found', openNew.length + returned.length)],
          figure('returned', returned.length),
        ],
        table: mailTable(asked, { columns, places: [0, 1, 2, 4, 5, 10], rows, zone: zoneClock(project.timeZone) }),
        file: warnings.warningsFile(actor, project, { Format: listFormat(asked), Language: language }, ids),
      }
    },
  }
}

import { text, zoneClock } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { listFormat, mailTable, requireGateway, rowsInMail } from '../../http/list-report.ts'
import type { ReportAsked, ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { Plant } from '../../plant/plant.ts'
import { columns, levels } from './hazard-export-words.ts'
import type { Hazards } from './service.ts'

const words = {
  there: text('未消除', 'Not gone'),
} as const

interface Deps {
  readonly plant: Plant
}

const ofScope = ({ project, scope: { DeviceID } }: ReportAsked) => ({
  HouseID: project.id,
  ...(DeviceID !== undefined && { DeviceID }),
})

/** Hazards that are not gone, as they stand when it is made. */
export function hazardReport(hazards: Pick<Hazards, 'hazardsFile' | 'hazardRows'>, { plant }: Deps): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(plant, actor, project, scope),
    known: async () => null,
    async make(actor, asked) {
      const { project, language } = asked
      const wanted = { ...ofScope(asked), State: 'there' as const, Format: listFormat(asked), Language: language }
      const { ids, file } = await hazards.hazardsFile(actor, project, wanted)
      const byLevel = []
      for (const Level of priorities) {
        const { ids: own } = await hazards.hazardsFile(actor, project, { ...wanted, Level })
        if (own.length > 0) byLevel.push({ label: inLanguage(levels[Level], language), value: String(own.length) })
      }
      const zone = zoneClock(project.timeZone)
      const rows = await hazards.hazardRows(actor, ids.slice(0, rowsInMail), language, zone)
      return {
        figures: [{ label: inLanguage(words.there, language), value: String(ids.length) }, ...byLevel],
        table: mailTable(asked, { columns, places: [0, 1, 2, 3, 6, 7], rows, zone }),
        file,
      }
    },
  }
}

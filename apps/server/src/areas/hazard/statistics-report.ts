import type { Analysis } from '@linewarden/contract'
import { text, trendHeight, trendOption, zoneClock } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import { availabilityTarget } from '@linewarden/rules/hazard'
import { listFormat, requireGateway } from '../../http/list-report.ts'
import type { ReportAsked, ReportMade, ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import { chartSvg, printedLook } from '../../pdf/chart.ts'
import { pdfBytes } from '../../pdf/document.ts'
import { chartWidth } from '../../pdf/svg.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Hazards } from './service.ts'

const words = {
  name: text('隐患统计', 'Alarm statistics'),
  file: text('隐患统计', 'alarm-statistics'),
  announced: text('报警提示', 'Alarms announced'),
  raised: text('报警发生', 'Alarms raised'),
  floods: text('报警洪水', 'Alarm floods'),
  availability: text('在线率', 'Availability'),
  day: text('日期', 'Day'),
  longActive: text('长期未恢复', 'Active > 24 h'),
  perDay: text('每日报警提示', 'Alarms announced per day'),
  percent: text('在线率 %', 'Availability %'),
  unknown: text('在线率未知', 'Availability not known'),
  floor: text('目标 {percent} %', 'target {percent} %'),
} as const

type Word = (key: keyof typeof words) => string

/** How often alarms came and how well the alarm system did, a row for each date. */
export function statisticsReport(
  { analyse, analysisFile }: Pick<Hazards, 'analyse' | 'analysisFile'>,
  { plant }: { readonly plant: Plant },
): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(plant, actor, project, scope),
    known: async () => null,
    async make(actor, asked) {
      const { project, language, period, scope } = asked
      const word: Word = (key) => inLanguage(words[key], language)
      const of = {
        ...{ HouseID: project.id, FromDay: dateText(period.first), ToDay: dateText(period.end - 1) },
        ...(scope.DeviceID !== undefined && { DeviceID: scope.DeviceID }),
      }
      const analysis = await analyse(actor, project, { ...of, Compare: true })
      const figures = figuresOf(analysis, word)
      const file =
        asked.format === 'pdf'
          ? pdfOf(asked, analysis, figures, word)
          : await analysisFile(actor, project, { ...of, Content: 'days', Format: listFormat(asked), Language: language })
      return { figures, table: null, file }
    },
  }
}

const figuresOf = ({ Total, Floods, Lines }: Analysis, word: Word): ReportMade['figures'] => [
  { label: word('announced'), value: String(Total.Announced) },
  { label: word('raised'), value: String(Total.Raised) },
  { label: word('floods'), value: String(Floods.Count) },
  { label: word('availability'), value: Lines.Availability === null ? '–' : `${percentText(Lines.Availability)} %` },
]

/** Cut and not rounded: never 100 where something was away. */
const percentText = (share: number): string => (Math.floor(share * 1_000) / 10).toFixed(1)

/** The same on A4, with the days as a picture. */
function pdfOf(asked: ReportAsked, analysis: Analysis, facts: ReportMade['figures'], word: Word): ReportMade['file'] {
  const { project, language, period, now } = asked
  const dates = `${dateText(period.first)} – ${dateText(period.end - 1)}`
  return {
    fileName: `${[word('file'), project.name, dateText(period.first)].join('-').replace(/[\\/:*?"<>|]/g, ' ')}.pdf`,
    type: 'application/pdf',
    async *bytes(onProgress) {
      yield await pdfBytes({
        ...{ title: `${word('name')} · ${project.name} · ${dates}`, language, at: now, facts, bars: null },
        made: `${zoneClock(project.timeZone).text(now).slice(0, 16)} (${project.timeZone})`,
        charts: [{ label: word('name'), svg: await trendSvg(analysis, word) }],
        table: {
          columns: [word('day'), word('announced'), word('percent'), word('longActive')],
          rows: analysis.Days.map(({ Day, Announced, Availability, LongActive }) => [
            ...[Day, String(Announced), Availability === null ? '–' : percentText(Availability), String(LongActive)],
          ]),
        },
      })
      onProgress({ rows: analysis.Days.length, share: 1 })
    },
  }
}

function trendSvg({ Days }: Analysis, word: Word): Promise<string> {
  const size = { width: chartWidth, height: trendHeight }
  const option = trendOption({
    ...{ days: Days, changed: [], width: size.width, narrow: false, ...printedLook },
    words: {
      ...{ perDay: word('perDay'), availability: word('percent'), unknown: word('unknown') },
      floor: word('floor').replace('{percent}', String(availabilityTarget * 100)),
    },
  })
  return chartSvg(option, size)
}

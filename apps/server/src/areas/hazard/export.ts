import type { Analysis, ZoneClock } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { dayMs, priorities, priorityWords } from '@linewarden/equipment'
import { windowMs } from '@linewarden/rules/hazard'
import type { DownloadFile } from '../../http/downloads.ts'
import { pagesOf, tableFile } from '../../http/table-file.ts'
import type { Plant } from '../../plant/plant.ts'
import type { PlaceRow } from '../../store/hazard/analysis.ts'
import type { TableRow } from '../../tables/table.ts'
import { placeIn } from './place.ts'
import type { Counts } from './read.ts'

interface Wanted {
  readonly analysis: Analysis
  readonly counts: Counts
  /** For a file of places. */
  readonly places: readonly PlaceRow[]
  readonly clock: ZoneClock
  readonly plant: Plant
  readonly labelOf: (key: string) => Text
  readonly content: 'days' | 'places'
  readonly format: 'csv' | 'xlsx'
  readonly language: 'CN' | 'EN'
}

const heads = {
  days: {
    CN: ['日期', '报警', ...priorities.map((each) => priorityWords.zh[each]), '并入事件', '在线率 (%)', '长期未恢复', '备注'],
    EN: [
      'Day',
      'Alarms',
      ...priorities.map((each) => priorityWords.en[each]),
      'Folded',
      'Availability (%)',
      'Active > 24 h',
      'Note',
    ],
  },
  places: {
    CN: ['自', '发生', '提示', '并入事件', '抖动', '瞬时', '60 s 内自恢复', '报警时长 (min)', '报警与位置'],
    EN: ['From', 'Raised', 'Announced', 'Folded', 'Chatter', 'Fleeting', 'Back within 60 s', 'Active (min)', 'Alarm and place'],
  },
} as const
const names = { CN: '隐患统计', EN: 'alarm-statistics' } as const

/** The statistics as a file: a row for each day, or for each alarm of a place, the most frequent first. */
export function exportOf(wanted: Wanted): DownloadFile {
  const { analysis, clock, content, format, language } = wanted
  const [first, ...columns] = heads[content][language]
  const table = { columns: [`${first} (${analysis.TimeZone})`, ...columns], zone: clock }
  const day = (at: number) => clock.text(at).slice(0, 10).replaceAll('-', '')
  const name = `${names[language]}-${day(analysis.From)}-${day(analysis.To - 1)}`
  return tableFile(name, format, table, (onProgress) =>
    pagesOf(content === 'days' ? dayRows(wanted) : placeRows(wanted), (rows) => rows, onProgress),
  )
}

function dayRows({ analysis, counts, clock }: Wanted): TableRow[] {
  const byDay = Map.groupBy(counts.windows.present, ({ ten }) => Math.floor(clock.local(ten * windowMs) / dayMs))
  return analysis.Days.map(({ Day, From, Announced, Availability, LongActive }) => {
    const own = byDay.get(Date.parse(`${Day}T00:00:00Z`) / dayMs) ?? []
    const sum = (of: (row: (typeof own)[number]) => number) => own.reduce((all, row) => all + of(row), 0)
    return {
      at: From,
      values: [
        Announced,
        sum(({ critical }) => critical),
        sum(({ high }) => high),
        sum(({ medium }) => medium),
        sum(({ low }) => low),
        sum(({ folded }) => folded),
        Availability === null ? null : Math.round(Availability * 10_000) / 100,
        LongActive,
      ],
      note: '',
    }
  })
}

const minuteMs = 60_000

const placeRows = ({ analysis, places, plant, labelOf, language }: Wanted): TableRow[] =>
  places
    .toSorted((a, b) => b.raised - a.raised)
    .map((row) => ({
      at: analysis.From,
      values: [
        row.raised,
        row.announced,
        row.folded,
        row.bursts,
        row.fleeting,
        row.unjustified,
        Math.round(row.active_ms / minuteMs),
      ],
      note: [language === 'EN' ? labelOf(row.key).en : labelOf(row.key).zh, ...placeNames(placeIn(plant, row).Where)].join(' / '),
    }))

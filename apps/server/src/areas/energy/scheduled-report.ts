import type { EnergyBar, EnergyPicture } from '@linewarden/contract'
import { tariffName, text, zoneClock } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import type { Comparison } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { requireGateway } from '../../http/list-report.ts'
import type { ReportAsked, ReportMade, ReportSource } from '../../http/report-source.ts'
import { inLanguage, tableFile } from '../../http/table-file.ts'
import { pdfBytes } from '../../pdf/document.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { suppliesOf } from '../../store/energy/supply.ts'
import type { Table, TableRow } from '../../tables/table.ts'
import type { Flows } from './flow.ts'
import { flowSvg } from './flow-chart.ts'
import type { Energy } from './service.ts'

const words = {
  file: text('用电报告', 'energy-report'),
  title: text('用电报告', 'Energy report'),
  time: text('时间', 'Time'),
  used: text('用电量', 'Energy'),
  previous: text('上期', 'Previous period'),
  yearAgo: text('去年同期', 'A year ago'),
  fee: text('电费', 'Cost'),
  band: text('分时电量', 'By band'),
  gateway: text('网关', 'Gateway'),
  lacking: text('部分缺', 'in part not known'),
  unknown: text('缺', 'not known'),
  total: text('合计', 'Total'),
  flow: text('电能去向', 'Where it goes'),
} as const

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

/** A supply of the project with what it used and cost. */
interface Billed {
  readonly supply: SupplyRow
  readonly picture: EnergyPicture
}

/** The energy report of a period: figures, bands, cost, comparison; the same as the pages show. */
export function energyReport(energy: Pick<Energy, 'read'>, flows: Pick<Flows, 'read'>, { database, plant }: Deps): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(plant, actor, project, scope),

    async known(actor, asked) {
      const { Since, Total } = await pictureOf(actor, asked, 'previous')
      // What was before the first reading never comes.
      if (Since === null || Since >= asked.to) return null
      const before = Math.max(0, Since - asked.from) / 1_000
      const length = Total.LengthS - before
      return length <= 0 ? null : Math.min(1, Math.max(0, 1 - (Total.LackingS - before + Total.OpenS) / length))
    },

    async make(actor, asked) {
      const picture = await pictureOf(actor, asked, 'previous')
      const { Compared: yearAgo } = await pictureOf(actor, asked, 'yearAgo')
      const billed = asked.scope.DeviceID === undefined ? await billedOf(actor, asked) : []
      const flow = asked.format === 'pdf' ? await flowOf(actor, asked) : null
      return madeOf(asked, { picture, yearAgo, billed, gateway: gatewayName(asked), flow })
    },
  }

  function pictureOf(actor: Actor, asked: ReportAsked, Compare: Comparison): Promise<EnergyPicture> {
    const { project, scope } = asked
    const of = scope.DeviceID === undefined ? { HouseID: project.id } : { DeviceID: scope.DeviceID }
    return energy.read(actor, { ...of, ...rangeOf(asked), Compare })
  }

  async function flowOf(actor: Actor, { project, scope: { DeviceID }, period, language }: ReportAsked): Promise<string | null> {
    const of = DeviceID === undefined ? { HouseID: project.id } : { DeviceID }
    const flow = await flows.read(actor, { ...of, From: dateText(period.first), To: dateText(period.end) })
    return flowSvg(flow, language)
  }

  async function billedOf(actor: Actor, asked: ReportAsked): Promise<readonly Billed[]> {
    const { first, end } = asked.period
    const supplies = await withRowSecurity(database, actor.scope, ({ general }) => suppliesOf(general, asked.project.id))
    const own = supplies.filter(({ from_day, to_day }) => from_day < end && (to_day === null || to_day >= first))
    const billed: Billed[] = []
    for (const supply of own)
      billed.push({ supply, picture: await energy.read(actor, { SupplyID: supply.supply_id, ...rangeOf(asked), By: 'band' }) })
    return billed
  }

  function gatewayName({ scope: { DeviceID } }: ReportAsked): string | null {
    return DeviceID === undefined ? null : (plant.gateways.get(DeviceID)?.name ?? null)
  }
}

const rangeOf = ({ unit, period: { first, end } }: ReportAsked) => ({
  Unit: unit === 'day' ? ('hour' as const) : ('day' as const),
  From: dateText(first),
  To: dateText(end),
})

interface Found {
  readonly picture: EnergyPicture
  readonly yearAgo: EnergyPicture['Compared']
  readonly billed: readonly Billed[]
  readonly gateway: string | null
  /** Where it goes, as SVG; null: nothing is drawn. */
  readonly flow: string | null
}

function madeOf(asked: ReportAsked, found: Found): ReportMade {
  const word = (each: Text) => inLanguage(each, asked.language)
  const { picture } = found
  const rows = picture.Bars.map((bar) => [civilText(bar), shownKwh(bar.Wh), shownKwh(bar.Compared?.Wh ?? null)])
  return {
    figures: figuresOf(found, word),
    table: { columns: [word(words.time), `${word(words.used)} kWh`, `${word(words.previous)} kWh`], rows },
    file: asked.format === 'pdf' ? pdfOf(asked, found, word) : fileOf(asked, found, word),
  }
}

function figuresOf({ picture, yearAgo, billed, gateway }: Found, word: (each: Text) => string): ReportMade['figures'] {
  const compared = (label: Text, other: EnergyPicture['Compared']) =>
    other ? [{ label: word(label), value: `${shownKwh(other.Wh)} kWh${changeText(other.Change)}` }] : []
  return [
    ...(gateway === null ? [] : [{ label: word(words.gateway), value: gateway }]),
    { label: word(words.used), value: `${shownKwh(picture.Total.Wh)} kWh` },
    ...compared(words.previous, picture.Compared),
    ...compared(words.yearAgo, yearAgo),
    ...billed.flatMap(({ supply, picture: own }) => {
      const { Cost } = own.Total
      const bands = (own.Pricing?.Bands ?? []).map(
        (key, place) => `${word(tariffName(key))} ${shownKwh(Cost?.ByBand[place] ?? null)}`,
      )
      const fee = Cost?.Fee == null ? '–' : `≈ ${Number(Cost.Fee).toFixed(2)} ${own.Pricing?.Currency ?? ''}`.trim()
      return [
        { label: `${supply.name} · ${word(words.fee)}`, value: `${fee} (${shownKwh(own.Total.Wh)} kWh)` },
        ...(bands.length > 1 ? [{ label: `${supply.name} · ${word(words.band)} kWh`, value: bands.join(' · ') }] : []),
      ]
    }),
  ]
}

/** What is not known is a dash, never nought. */
const shownKwh = (wh: number | null): string => (wh === null ? '–' : (wh / 1_000).toFixed(1))

const changeText = (change: number | null): string =>
  change === null ? '' : ` (${change < 0 ? '-' : '+'}${Math.abs(change * 100).toFixed(1)} %)`

/** The hour that the clock shows twice is told apart. */
const civilText = ({ Civil, Clock }: EnergyBar): string => (Clock === 'second' ? `${Civil} (2)` : Civil)

function fileOf(asked: ReportAsked, { picture, billed }: Found, word: (each: Text) => string): ReportMade['file'] {
  const { project, format } = asked
  const money = ({ picture: { Pricing } }: Billed) => (Pricing?.Currency ? ` ${Pricing.Currency}` : '')
  const table: Table = {
    columns: [
      `${word(words.time)} (${project.timeZone})`,
      ...[words.used, words.previous].map((each) => `${word(each)} kWh`),
      ...billed.flatMap((each) => [
        `${each.supply.name} kWh`,
        ...(each.picture.Pricing?.Bands ?? []).map((key) => `${each.supply.name} ${word(tariffName(key))} kWh`),
        `${each.supply.name} ${word(words.fee)}${money(each)}`,
      ]),
      '',
    ],
    zone: zoneClock(project.timeZone),
    totals: {
      label: word(words.total),
      columns: everyColumn(2 + billed.reduce((sum, each) => sum + 2 + (each.picture.Pricing?.Bands.length ?? 0), 0)),
      note: [picture, ...billed.map((each) => each.picture)].some(isLacking) ? word(words.lacking) : '',
    },
  }
  const rows = picture.Bars.map((bar, place): TableRow => {
    const note = bar.Wh === null ? words.unknown : bar.LackingS > 0 ? words.lacking : null
    return {
      at: bar.Start,
      values: [kwh(bar.Wh), kwh(bar.Compared?.Wh ?? null), ...billed.flatMap((each) => cellsOf(each, place))],
      note: note && bar.Clock !== 'skipped' ? word(note) : '',
    }
  })
  return tableFile(nameOf(asked, word), format === 'csv' ? 'csv' : 'xlsx', table, async function* () {
    yield rows
  })
}

const isLacking = ({ Total: { LackingS, OpenS } }: EnergyPicture): boolean => LackingS + OpenS > 0
const everyColumn = (count: number): readonly number[] => Array.from({ length: count }, (_, place) => place + 1)

/** The same on A4: figures, bars, and a row for each of them. */
function pdfOf(asked: ReportAsked, found: Found, word: (each: Text) => string): ReportMade['file'] {
  const { project, language, period, now } = asked
  const { picture } = found
  const dates =
    period.end - period.first === 1 ? dateText(period.first) : `${dateText(period.first)} – ${dateText(period.end - 1)}`
  const columns = [words.time, words.used, words.previous].map((each, place) => (place === 0 ? word(each) : `${word(each)} kWh`))
  return {
    fileName: `${nameOf(asked, word)}.pdf`,
    type: 'application/pdf',
    async *bytes(onProgress) {
      yield await pdfBytes({
        ...{ title: `${word(words.title)} · ${project.name} · ${dates}`, language, at: now },
        made: `${zoneClock(project.timeZone).text(now).slice(0, 16)} (${project.timeZone})`,
        facts: figuresOf(found, word),
        bars: {
          ...{ label: word(words.used), unit: 'kWh' },
          values: picture.Bars.map((bar) => ({
            ...{ label: bar.Civil.slice(-5), value: kwh(bar.Wh), compared: kwh(bar.Compared?.Wh ?? null) },
          })),
        },
        charts: found.flow === null ? [] : [{ label: word(words.flow), svg: found.flow }],
        table: {
          columns,
          rows: picture.Bars.map((bar) => [civilText(bar), shownKwh(bar.Wh), shownKwh(bar.Compared?.Wh ?? null)]),
        },
      })
      onProgress({ rows: picture.Bars.length, share: 1 })
    },
  }
}

const nameOf = ({ project, period }: ReportAsked, word: (each: Text) => string): string =>
  [word(words.file), project.name, dateText(period.first)].join('-').replace(/[\\/:*?"<>|]/g, ' ')

function cellsOf({ picture }: Billed, place: number): readonly (number | null)[] {
  const bar = picture.Bars[place]
  const isKnown = bar != null && bar.Wh !== null
  return [
    kwh(bar?.Wh ?? null),
    ...(picture.Pricing?.Bands ?? []).map((_, band) => (isKnown ? kwh(bar.Cost?.ByBand[band] ?? null) : null)),
    bar?.Cost?.Fee == null ? null : Number(bar.Cost.Fee),
  ]
}

const kwh = (wh: number | null): number | null => (wh === null ? null : wh / 1_000)

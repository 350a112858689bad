import type { StatementRow } from '@linewarden/contract'
import { Refusal, text, wholeKwh, zoneClock } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { ReportAsked, ReportMade, ReportSource } from '../../http/report-source.ts'
import { inLanguage, tableFile } from '../../http/table-file.ts'
import { invalid } from './asked.ts'
import type { StatementDeps } from './statement-draft.ts'
import type { StatementLists } from './statement-list.ts'
import type { PrintDeps } from './statement-prints.ts'
import { addressIn, pdfFile } from './statement-prints.ts'
import { readStatements } from './statement-read.ts'
import { statementWords } from './statement-words.ts'

const words = {
  file: text('电费结算单', 'statements'),
  issued: text('已签发', 'Issued'),
  notIssued: text('未签发', 'Not issued'),
  number: text('结算单号', 'Number'),
  issuedAt: text('签发时间', 'Issued'),
  supply: text('供电点', 'Supply'),
  account: text('户号', 'Account'),
  from: text('周期起', 'From'),
  to: text('周期止（不含）', 'To (excluded)'),
  used: text('电量 kWh', 'Energy kWh'),
  demand: text('最大需量 kW', 'Largest demand kW'),
  total: text('电费', 'Total'),
  currency: text('币种', 'Currency'),
  sum: text('合计', 'Total'),
  estimated: text('含估算', 'with estimates'),
} as const

const wholeOnly = { zh: '结算单按整个项目发送', en: 'is of the whole project: leave it out' }
/** More supplies have no project here. */
const maxRows = 1_000

type Issued = StatementRow & { readonly Issued: NonNullable<StatementRow['Issued']> }

/** The statements whose period ended in that of the report, as they were issued. */
export function statementReport(lists: Pick<StatementLists, 'list'>, deps: StatementDeps & PrintDeps): ReportSource {
  return {
    check(_, __, { DeviceID, LineIDs }) {
      if (DeviceID !== undefined || LineIDs) throw invalid('body.Scope', wholeOnly)
    },

    async known(actor, asked) {
      const { issued, open } = await statementsIn(actor, asked)
      const all = issued.length + open.length
      return all === 0 ? null : issued.length / all
    },

    async make(actor, asked) {
      const { issued, open } = await statementsIn(actor, asked)
      if (issued.length === 0) throw new Refusal('statement none issued')
      const ids = issued.map(({ Issued }) => Issued.StatementID)
      return {
        ...inMail(asked, issued, open),
        file: asked.format === 'pdf' ? await prints(actor, asked, ids) : tableOf(asked, issued, asked.format),
      }
    },
  }

  /** Those in force, and what is over and has none. */
  async function statementsIn(actor: Actor, { project, period: { first, end } }: ReportAsked) {
    // Periods of a billing day begin in the month before.
    const query = { From: dateText(first - 31).slice(0, 7), To: dateText(end - 1).slice(0, 7) }
    const { items } = await lists.list(actor, project, { HouseID: project.id, ...query, Page: 1, Size: maxRows })
    const [after, until] = [dateText(first), dateText(end)]
    const own = items.filter(({ To }) => To > after && To <= until)
    return {
      issued: own.filter((row): row is Issued => row.State === 'issued' && row.Issued !== null),
      open: own.filter(({ State }) => State === 'draft'),
    }
  }

  async function prints(actor: Actor, asked: ReportAsked, ids: readonly number[]): Promise<ReportMade['file']> {
    const { project, language, now } = asked
    const found = await readStatements(deps, actor, project, ids)
    const records = found.map(({ record }) => record)
    return pdfFile(nameOf(asked), records, { language, at: now, addressOf: addressIn(deps, project) })
  }
}

function inMail({ language }: ReportAsked, issued: readonly Issued[], open: readonly StatementRow[]) {
  const word = (each: Text) => inLanguage(each, language)
  const { unitOf } = statementWords(language)
  return {
    figures: [
      { label: word(words.issued), value: String(issued.length) },
      ...(open.length === 0 ? [] : [{ label: word(words.notIssued), value: open.map(({ Supply }) => Supply).join(' · ') }]),
    ],
    table: {
      columns: [words.number, words.supply, words.account, words.used, words.total].map(word),
      rows: issued.map(({ Supply, AccountNo, Issued }) => [
        ...[Issued.Number, Supply, AccountNo || '–', wholeKwh(Issued.BilledWh)],
        `${Issued.Total} ${unitOf(Issued.Currency)}`,
      ]),
    },
  }
}

function tableOf(asked: ReportAsked, issued: readonly Issued[], format: 'xlsx' | 'csv'): ReportMade['file'] {
  const { project, language } = asked
  const word = (each: Text) => inLanguage(each, language)
  const { number, supply, account, from, to, used, demand, total, currency } = words
  const columns = [
    `${word(words.issuedAt)} (${project.timeZone})`,
    ...[number, supply, account, from, to, used, demand, total, currency].map(word),
    '',
  ]
  const rows = issued.map(({ Supply, AccountNo, From, To, Issued }) => ({
    at: Issued.IssuedAt,
    values: [
      ...[Issued.Number, Supply, AccountNo, From, To, Issued.BilledWh / 1_000],
      ...[Issued.MaxW === null ? null : Issued.MaxW / 1_000, Number(Issued.Total), Issued.Currency],
    ],
    note: Issued.IsEstimated ? word(words.estimated) : '',
  }))
  // Money of several currencies has no sum.
  const isOne = new Set(issued.map(({ Issued }) => Issued.Currency)).size === 1
  const totals = { label: word(words.sum), columns: isOne ? [6, 8] : [6], note: '' }
  return tableFile(nameOf(asked), format, { columns, zone: zoneClock(project.timeZone), totals }, async function* () {
    yield rows
  })
}

const nameOf = ({ project, period, language }: ReportAsked): string =>
  [inLanguage(words.file, language), project.name, dateText(period.first)].join('-').replace(/[\\/:*?"<>|]/g, ' ')

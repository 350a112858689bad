import { reportKinds, text } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { ReportAsked, ReportMade } from '../../../http/report-source.ts'
import { inLanguage } from '../../../http/table-file.ts'
import type { MailConfig } from '../../../lib/mail-setting.ts'
import type { PlantProject } from '../../../plant/plant.ts'
import type { RunFile } from '../../../store/report/run.ts'
import type { ScheduleRow } from '../../../store/report/schedule.ts'
import { kindOf, leaveMark } from '../kinds.ts'
import { runUrlOf } from './links.ts'

/** Larger files are fetched by whoever signs in. */
const maxAttachedBytes = 10 * 1_048_576
/** Rows in the mail itself; the file has all of them. */
const maxRows = 60

interface About {
  readonly mail: Pick<MailConfig, 'publicUrl'> | null
  readonly schedule: ScheduleRow
  readonly project: PlantProject
  readonly asked: ReportAsked
  readonly known: number | null
  /** It went out although something was lacking. */
  readonly isLacking: boolean
}

const words = {
  project: text('项目', 'Project'),
  period: text('统计周期', 'Period'),
  known: text('数据完整率', 'Data complete'),
  lacking: text(
    '等待三天后仍有数据缺失，以下数值可能偏低。',
    'After three days some data are still missing: figures may be too low.',
  ),
  attached: text('完整数据见附件。', 'The attachment has all of it.'),
  large: text('文件较大，请登录后下载：', 'The file is large: sign in to download it: '),
  more: text('仅列出前 {count} 行。', 'Only the first {count} rows.'),
  leave: text('退订', 'Unsubscribe'),
} as const

/** What is sent of a report in one language: the letter, and the file if it is not too large. Nothing in it is fetched from anywhere. */
export async function reportFile(made: ReportMade, about: About): Promise<RunFile> {
  const { schedule, project, asked } = about
  const { language } = asked
  const bytes = await bytesOf(made.file)
  const dates = datesOf(asked)
  const kind = inLanguage(reportKinds[kindOf(schedule)].name, language)
  const { body, html } = letterOf(made, about, { dates, kind, isAttached: bytes !== null })
  return {
    ...{ language, subject: `${schedule.name} · ${project.name} · ${dates}`, body, html },
    ...{ fileName: made.file.fileName, type: made.file.type, bytes },
  }
}

async function bytesOf(file: ReportMade['file']): Promise<Buffer | null> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of file.bytes(() => {})) {
    size += piece.length
    if (size > maxAttachedBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The first and the last date; of a day that one. */
function datesOf({ period: { first, end } }: ReportAsked): string {
  return end - first === 1 ? dateText(first) : `${dateText(first)} – ${dateText(end - 1)}`
}

function letterOf(
  { figures, table }: ReportMade,
  { mail, schedule, project, asked, known, isLacking }: About,
  { dates, kind, isAttached }: { readonly dates: string; readonly kind: string; readonly isAttached: boolean },
) {
  const word = (each: keyof typeof words) => inLanguage(words[each], asked.language)
  const facts = [
    { label: word('project'), value: project.name },
    { label: word('period'), value: `${dates} (${project.timeZone})` },
    ...figures,
    ...(known === null ? [] : [{ label: word('known'), value: `${(Math.floor(known * 1_000) / 10).toFixed(1)} %` }]),
  ]
  const rows = table?.rows.slice(0, maxRows) ?? []
  const notes = [
    ...(isLacking ? [word('lacking')] : []),
    ...(table && table.rows.length > maxRows ? [word('more').replace('{count}', String(maxRows))] : []),
    isAttached || !mail ? word('attached') : word('large') + runUrlOf(mail, project.id),
  ]
  const head = `${schedule.name} · ${kind}`
  const body = [
    head,
    '',
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...(table ? ['', table.columns.join('\t'), ...rows.map((row) => row.join('\t'))] : []),
    '',
    ...notes,
    '',
    `${word('leave')}: ${leaveMark}`,
    '',
  ].join('\r\n')
  return {
    body,
    html: htmlOf({
      head,
      facts,
      table: table && { columns: table.columns, rows },
      notes,
      leave: word('leave'),
      language: asked.language,
    }),
  }
}

interface Shown {
  readonly head: string
  readonly facts: ReportMade['figures']
  readonly table: ReportMade['table']
  readonly notes: readonly string[]
  readonly leave: string
  readonly language: 'CN' | 'EN'
}

function htmlOf({ head, facts, table, notes, leave, language }: Shown): string {
  const cell = 'padding:4px 12px 4px 0;text-align:left;border-bottom:1px solid #ddd'
  const factRows = facts.map(
    ({ label, value }) => `<tr><th style="${cell}">${escaped(label)}</th><td style="${cell}">${escaped(value)}</td></tr>`,
  )
  const tableRows = table
    ? `<table style="border-collapse:collapse;margin-top:16px"><tr>${table.columns.map((each) => `<th style="${cell}">${escaped(each)}</th>`).join('')}</tr>${table.rows.map((row) => `<tr>${row.map((each) => `<td style="${cell}">${escaped(each)}</td>`).join('')}</tr>`).join('')}</table>`
    : ''
  return `<!doctype html><html lang="${language === 'EN' ? 'en' : 'zh-CN'}"><head><meta charset="utf-8"><title>${escaped(head)}</title></head><body style="font-family:sans-serif;font-size:14px;color:#222"><h1 style="font-size:18px">${escaped(head)}</h1><table style="border-collapse:collapse">${factRows.join('')}</table>${tableRows}${notes.map((note) => `<p>${escaped(note)}</p>`).join('')}<p><a href="${leaveMark}">${escaped(leave)}</a></p></body></html>`
}

/** A text within HTML, whoever wrote it. */
export const escaped = (value: string): string =>
  value.replace(/[&<>"]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? '')

import { zoneClock } from '@linewarden/contract'
import { startMailSink } from '@linewarden/server/test-mail-sink'
import type pg from 'pg'
import { chartSvg } from '../apps/server/src/pdf/chart.ts'
import { pdfBytes } from '../apps/server/src/pdf/document.ts'
import { chartWidth } from '../apps/server/src/pdf/svg.ts'
import type { TableRow } from '../apps/server/src/tables/table.ts'
import { xlsxBytes } from '../apps/server/src/tables/xlsx.ts'
import { signedIn, startStack } from '../tests/kit/stack.ts'
import { newProject } from '../tests/kit/two-owners.ts'
import { median, thousandQuestions } from './calibrate.ts'
import { report } from './report.ts'
import { statementsZip } from './report-statements.ts'

const targets = { mailsSeconds: 300, pdfMs: 1_000, pdfKb: 400, xlsxSeconds: 60, xlsxMb: 64, zipSeconds: 60 }
const recipientsOfRun = 20

/**
 * A thousand mails with their file to a mail server on this machine, one connection each; a document of twenty pages with a chart; a workbook of a
 * million rows; five hundred statements as one zip.
 * The calibrator is a thousand empty questions.
 */
export async function reports(given: Record<string, number>): Promise<void> {
  const { mails = 1_000, rows = 1_000_000, rounds = 5, statements = 500 } = given
  const sink = await startMailSink()
  const stack = await startStack({
    plan: [],
    env: {
      LINEWARDEN_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      LINEWARDEN_SMTP_TLS: 'off',
      LINEWARDEN_MAIL_FROM: 'reports@example.com',
      LINEWARDEN_PUBLIC_URL: 'https://console.example.com',
    },
  })
  const { HouseID } = await newProject(await signedIn(stack.url, stack.admin), '报表')
  const client = await stack.server.database.connect()
  const thousandQuestionsMs = await thousandQuestions(client)
  await seedRuns(client, HouseID, Math.ceil(mails / recipientsOfRun))
  const began = performance.now()
  // The server sends by itself, too: whoever is quicker.
  while (sink.accepted.length < mails) await stack.server.postman.work()
  const mailsSeconds = (performance.now() - began) / 1_000
  const twice = sink.accepted.length - new Set(sink.accepted.map(({ to }) => to)).size
  await client.end()
  await stack.close()
  await sink.close()
  const pdf = await documents(rounds)
  const xlsx = await workbook(rows)
  const zip = await statementsZip(statements)
  report('reports', {
    ...{ mails, mailsSeconds: Number(mailsSeconds.toFixed(1)), twice, ...pdf, rows, ...xlsx, ...zip },
    ...{ calibrator: { thousandQuestionsMs }, targets },
    verdict:
      mailsSeconds <= targets.mailsSeconds &&
      twice === 0 &&
      pdf.pdfMs <= targets.pdfMs &&
      pdf.pdfKb <= targets.pdfKb &&
      xlsx.xlsxSeconds <= targets.xlsxSeconds &&
      xlsx.xlsxMb <= targets.xlsxMb &&
      zip.zipSeconds <= targets.zipSeconds,
  })
}

/** Runs that are due, each with its recipients, who have agreed. */
async function seedRuns(client: pg.Client, projectId: number, runs: number): Promise<void> {
  await client.query(
    `with s as (insert into report_schedule (project_id, kind, name, scope, period, cron, format, enabled, made_by)
        select $1::int, 'alarms', 'n' || n, '{}', 'day', '0 8 * * *', 'xlsx', true, (select account_id from account where kind = 'platform' limit 1)
        from generate_series(1, $2::int) n returning schedule_id),
      r as (insert into report_recipient (schedule_id, project_id, address, language, token, agreed_at)
        select schedule_id, $1::int, 'r' || schedule_id || '.' || n || '@example.com', 'CN', schedule_id || '.' || n, now() from s, generate_series(1, $3::int) n)
      insert into report_run (schedule_id, project_id, first_day, end_day, due_at, state, look_at)
        select schedule_id, $1::int, 20000, 20001, now(), 'waiting', now() from s`,
    [projectId, runs, recipientsOfRun],
  )
}

/** A bar for each day of a month. */
const chart = {
  ...{ animation: false, xAxis: { type: 'category', data: Array.from({ length: 31 }, (_, day) => `${day + 1}`) } },
  ...{ yAxis: { type: 'value' }, series: [{ type: 'bar', data: Array.from({ length: 31 }, (_, day) => (day * 7) % 23) }] },
}

async function documents(rounds: number) {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const svg = await chartSvg(chart, { width: chartWidth, height: 260 })
    const made = await pdfBytes({
      ...{
        title: '用电报告 · 一厂',
        language: 'CN',
        made: '2026-12-01 08:00',
        at: 0,
        facts: [{ label: '用电量', value: '12345.6 kWh' }],
        bars: null,
      },
      charts: [{ label: '用电量', svg }],
      table: {
        columns: ['时间', '用电量 kWh', '上期 kWh', '状态'],
        rows: Array.from({ length: 960 }, (_, row) => [`行 ${row}`, `${row}.5`, '–', '部分缺']),
      },
    })
    times.push(performance.now() - began)
    bytes = made.length
  }
  // The first one reads the font and the chart library.
  return { pdfMs: Math.round(Math.max(...times)), pdfMedianMs: Math.round(median(times)), pdfKb: Math.round(bytes / 1_000) }
}

async function workbook(rows: number) {
  const table = { columns: ['时间', '线路', '电流 A', '电压 V', '功率 kW', '质量'], zone: zoneClock('Asia/Shanghai') }
  async function* pages(): AsyncGenerator<readonly TableRow[]> {
    for (let from = 0; from < rows; from += 500)
      yield Array.from({ length: Math.min(500, rows - from) }, (_, place) => ({
        at: (from + place) * 60_000,
        values: ['1# 总进线', from / 7, 230.1, place],
        note: '',
      }))
  }
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let [most, size] = [before, 0]
  const began = performance.now()
  for await (const piece of xlsxBytes(table, pages())) {
    size += piece.length
    most = Math.max(most, process.memoryUsage().rss)
  }
  return {
    xlsxSeconds: Number(((performance.now() - began) / 1_000).toFixed(1)),
    xlsxMb: Math.round((most - before) / 1_048_576),
    xlsxFileMb: Math.round(size / 1_048_576),
  }
}

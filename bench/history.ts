/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@linewarden/client'
import { history, tree } from '@linewarden/contract'
import { minuteMs } from '@linewarden/equipment'
import { generatedPlan, startFleet } from '@linewarden/simulator'
import type { Page } from '@playwright/test'
import { chromium } from '@playwright/test'
import type pg from 'pg'
import { findOrInstallChromium } from '../scripts/chromium.ts'
import { signedIn } from '../tests/kit/stack.ts'
import { median, percentile, rawCopyRate } from './calibrate.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import type { Seeded } from './history-seed.ts'
import { seedYear } from './history-seed.ts'
import { report } from './report.ts'

const targets = { serverP95Ms: 100, clickToDrawnP95Ms: 500, rawDrawScriptMs: 150 }
const minutesOfYear = 365 * 1_440

/**
 * Eight points over a year, and 100,000 samples drawn, above a year of readings taken every minute. `--readings`: how many there are;
 * 100 million are 190 lines. `BENCH_DATA=folder` keeps them there for the next run.
 */
export async function historyBench(options: { readings?: number; rounds?: number }): Promise<void> {
  const lines = Math.max(8, Math.round((options.readings ?? 100_000_000) / minutesOfYear))
  const rounds = options.rounds ?? 30
  // A year of readings must survive the nightly clearing.
  process.env.LINEWARDEN_RAW_DAYS = '400'
  const linesPerGateway = 10
  const plan = generatedPlan({ gateways: Math.ceil(lines / linesPerGateway), linesPerGateway, reportingPeriodMs: minuteMs })
  const folder = process.env.BENCH_DATA
  const target = await field(plan, 18_140, { folder })
  const database = await target.database()
  const notes = folder && join(folder, 'bench-history.json')
  const kept = notes && existsSync(notes)
  const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
  const seeded: SeededYear = kept ? JSON.parse(await readFile(notes, 'utf8')) : await seed(target, database, lines)
  if (notes) await writeFile(notes, JSON.stringify(seeded))
  const { now } = seeded
  const client = await signedIn(target.url, target.admin)
  const { house, ids } = await someLines(client)

  const points = ids.map((LineID) => ({ LineID, Point: 'current.a' }))
  const year = { From: now - minutesOfYear * minuteMs, To: now }
  const server: number[] = []
  let buckets = 0
  for (let i = 0; i < rounds + 1; i++) {
    // Another range each time, and so no answer twice.
    const shift = i * minuteMs
    const started = performance.now()
    const reply = await client.call(history, {
      body: { Points: points, From: year.From - shift, To: year.To - shift, Width: 1_100 },
    })
    server.push(performance.now() - started)
    buckets = Math.max(...reply.Series.map(({ At }) => At.length))
  }
  const [serverColdMs = Number.NaN, ...warm] = server

  const browser = await chromium.launch({ executablePath: findOrInstallChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(target.url)
  await page.getByLabel('账号').fill(target.admin.userName)
  await page.getByLabel('密码', { exact: true }).fill(target.admin.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(/realtime/)
  const chosen = encodeURIComponent(ids.map((id) => `${house}:${id}:current.a`).join(','))
  const clicks: number[] = []
  for (let i = 0; i < Math.min(rounds, 15); i++) {
    await page.goto(`${target.url}/devmon/hisdata?points=${chosen}&last=hour1`)
    await page.locator('.history-chart').waitFor()
    await page.locator('.panel[aria-busy="false"] small', { hasText: '逐点' }).waitFor()
    clicks.push(await clickToDrawn(page, '1 年', '1 天均值'))
  }

  const wide = await browser.newPage({ viewport: { width: 3840, height: 2160 } })
  await wide.goto(target.url)
  await wide.evaluate(
    (kept) => localStorage.setItem('linewarden.session', kept ?? ''),
    await page.evaluate(() => localStorage.getItem('linewarden.session')),
  )
  const samples: number[] = []
  let drawnPoints = 0
  for (let i = 0; i < 7; i++) {
    const to = now - (i + 1) * 86_400_000
    await wide.goto(`${target.url}/devmon/hisdata?points=${chosen}&from=${to - 12_499 * minuteMs}&to=${to}`)
    await wide.locator('.panel[aria-busy="false"] small', { hasText: '逐点' }).waitFor()
    await wide.waitForFunction(() => performance.getEntriesByName('history-drawn').length > 0)
    const drawn = await wide.evaluate(() => performance.getEntriesByName('history-drawn').map(({ duration }) => duration))
    samples.push(Math.max(...drawn))
    drawnPoints = Number((await wide.locator('.history-table .pager').textContent())?.match(/(\d+) 行/)?.[1]) * points.length
  }
  await browser.close()
  await database.end()
  await target.close()

  const serverP95Ms = Math.round(percentile(warm, 0.95))
  const clickToDrawnP95Ms = Math.round(percentile(clicks, 0.95))
  const rawDrawScriptMs = Math.round(median(samples))
  report('history', {
    readings: seeded.readings,
    seedSeconds: seeded.seconds,
    databaseGb: seeded.gigabytes,
    lines,
    buckets,
    serverP95Ms,
    serverMedianMs: Math.round(median(warm)),
    serverColdMs: Math.round(serverColdMs),
    requests: warm.length,
    clickToDrawnP95Ms,
    clickToDrawnMedianMs: Math.round(median(clicks)),
    clicks: clicks.length,
    rawDrawScriptMs,
    rawDrawWorstMs: Math.round(Math.max(...samples)),
    rawPoints: drawnPoints,
    rawCopyRowsPerSecond,
    targets,
    verdict:
      serverP95Ms < targets.serverP95Ms &&
      clickToDrawnP95Ms < targets.clickToDrawnP95Ms &&
      rawDrawScriptMs < targets.rawDrawScriptMs &&
      drawnPoints > 90_000,
  })
}

interface SeededYear extends Seeded {
  readonly now: number
}

async function seed(target: Field, database: pg.Client, lines: number): Promise<SeededYear> {
  // The lines come with the births; after that nothing reports.
  const fleet = startFleet(target.gateways, { url: `mqtt://127.0.0.1:${target.mqttPort}` })
  await fleet.ready
  await fleet.close()
  const now = Math.floor(Date.now() / minuteMs) * minuteMs
  return { now, ...(await seedYear(database, now, lines)) }
}

async function someLines(client: Client): Promise<{ house: number; ids: number[] }> {
  const { Groups } = await client.call(tree, { query: {} })
  const [project] = Groups.flatMap(({ Houses }) => Houses)
  const ids = (project?.Devices ?? []).flatMap(({ Devices }) => Devices.flatMap(({ Lines }) => Lines.map(({ LineID }) => LineID)))
  return { house: project?.HouseID ?? 0, ids: ids.slice(0, 8) }
}

/** From the press to the frame after the picture that says so: pressed and watched inside the page. */
const clickToDrawn = (page: Page, button: string, shows: string): Promise<number> =>
  page.evaluate(
    ({ button, shows }) =>
      new Promise<number>((resolve) => {
        const pressed = performance.now()
        const look = () => {
          const panel = document.querySelector('.history .panel[aria-busy="false"]')
          if (panel?.querySelector('small')?.textContent?.includes(shows))
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - pressed)))
          else requestAnimationFrame(look)
        }
        for (const each of document.querySelectorAll<HTMLButtonElement>('.segments button'))
          if (each.textContent === button) each.click()
        look()
      }),
    { button, shows },
  )
